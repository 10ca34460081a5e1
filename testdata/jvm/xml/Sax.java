// SAX and StAX: event order, namespaces, attributes, locators, validation by DTD, writers, cursors, filters, errors.
import java.io.*;
import java.util.*;
import javax.xml.parsers.*;
import javax.xml.stream.*;
import javax.xml.stream.events.*;
import org.xml.sax.*;
import org.xml.sax.ext.DefaultHandler2;
import org.xml.sax.helpers.*;

public class Sax {
    static class H extends DefaultHandler2 {
        final StringBuilder sb = new StringBuilder();
        Locator l;
        @Override public void setDocumentLocator(Locator l) { this.l = l; }
        @Override public void startDocument() { sb.append("SD "); }
        @Override public void endDocument() { sb.append("ED "); }
        @Override public void startElement(String u, String ln, String q, Attributes a) {
            sb.append('<').append(u).append('|').append(ln).append('|').append(q);
            for (int i = 0; i < a.getLength(); i++)
                sb.append(' ').append(a.getURI(i)).append(':').append(a.getQName(i)).append('=').append(a.getValue(i)).append('/').append(a.getType(i));
            sb.append("@").append(l.getLineNumber()).append(':').append(l.getColumnNumber()).append("> ");
        }
        @Override public void endElement(String u, String ln, String q) { sb.append("</").append(q).append("> "); }
        @Override public void characters(char[] c, int s, int n) {
            sb.append('[').append(new String(c, s, n).replace("\n", "\\n")).append("] ");
        }
        @Override public void ignorableWhitespace(char[] c, int s, int n) { sb.append("ws").append(n).append(' '); }
        @Override public void processingInstruction(String t, String d) {
            sb.append("PI ").append(t).append(d).append(' ');
        }
        @Override public void startPrefixMapping(String p, String u) {
            sb.append("PM ").append(p).append('=').append(u).append(' ');
        }
        @Override public void endPrefixMapping(String p) { sb.append("/PM ").append(p).append(' '); }
        @Override public void comment(char[] c, int s, int n) {
            sb.append("CM").append(new String(c, s, n)).append(' ');
        }
        @Override public void startCDATA() { sb.append("CD("); }
        @Override public void endCDATA() { sb.append(") "); }
        @Override public void startDTD(String n, String p, String s) { sb.append("DTD ").append(n).append(' '); }
        @Override public void error(SAXParseException e) {
            sb.append("ERR ").append(e.getLineNumber()).append(e.getMessage()).append(' ');
        }
        @Override public void fatalError(SAXParseException e) throws SAXException { sb.append("FATAL "); throw e; }
    }
    static void sax(String x, boolean val) throws Exception {
        SAXParserFactory f = SAXParserFactory.newInstance();
        f.setNamespaceAware(true);
        f.setValidating(val);
        SAXParser p = f.newSAXParser();
        H h = new H();
        p.setProperty("http://xml.org/sax/properties/lexical-handler", h);
        try {
            p.parse(new InputSource(new StringReader(x)), h);
        } catch (SAXException e) {
            h.sb.append("!").append(e.getMessage());
        }
        System.out.println(h.sb);
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage().replace("\n", "/"));
        }
    }
    public static void main(String[] args) throws Exception {
        sax("<?xml version='1.0'?>\n<!-- c --><r xmlns='u' xmlns:p='v' a='1'>\n <p:k b=' x  y '/>t&amp;u<![CDATA[<z>]]><?pi d?></r>",
            false);
        String dtd
            =
            "<!DOCTYPE r [<!ELEMENT r (k*)><!ELEMENT k (#PCDATA)><!ATTLIST k i ID #REQUIRED d CDATA 'def'><!ENTITY e 'ent'>]>";
        sax(dtd + "<r> <k i='a'>&e;</k> </r>", true);
        sax(dtd + "<r><k i='a'/><k i='a'/><z/></r>", true);
        sax("<a><b></a>", false);
        sax("<a>&undef;</a>", false);
        t("stop", () -> { SAXParserFactory.newInstance().newSAXParser().parse(new
            ByteArrayInputStream("<a><b/></a>".getBytes()),
            new DefaultHandler() { @Override public void startElement(String u, String l, String q,
            Attributes a) throws SAXException { if (q.equals("b")) throw new SAXException("enough"); } }); return 0; });
        XMLFilterImpl filter = new XMLFilterImpl(XMLReaderFactory0.make()) {
            @Override public void startElement(String u, String l, String q, Attributes a) throws SAXException {
                super.startElement(u, l.toUpperCase(), q.toUpperCase(), a);
            }
        };
        StringBuilder fs = new StringBuilder();
        filter.setContentHandler(new DefaultHandler() {
            @Override public void startElement(String u, String l, String q, Attributes a) { fs.append(q); } });
        filter.parse(new InputSource(new StringReader("<a><b/></a>")));
        System.out.println(fs);
        XMLInputFactory xf = XMLInputFactory.newInstance();
        XMLStreamReader r = xf.createXMLStreamReader(new
            StringReader("<?xml version='1.0' encoding='UTF-8'?><r xmlns:p='v' a='1'><p:k q='&lt;'>te&amp;xt</p:k><!--c--><?pi d?><e/></r>"));
        StringBuilder sb = new StringBuilder();
        while (r.hasNext()) {
            int ev = r.next();
            sb.append(ev);
            if (r.hasName()) sb.append(r.getName());
            if (ev == XMLStreamConstants.START_ELEMENT)
                for (int i = 0; i < r.getAttributeCount(); i++)
                    sb.append('@').append(r.getAttributeLocalName(i)).append(r.getAttributeValue(i));
            if (r.hasText()) sb.append(r.getText());
            sb.append(' ');
        }
        System.out.println(sb + " " + r.getVersion());
        XMLEventReader er = xf.createXMLEventReader(new StringReader("<a><b x='1'>t</b><c/></a>"));
        sb.setLength(0);
        while (er.hasNext()) {
            XMLEvent e = er.nextEvent();
            if (e.isStartElement() && e.asStartElement().getName().getLocalPart().equals("b"))
                sb.append(e.asStartElement().getAttributeByName(new
                javax.xml.namespace.QName("x")).getValue()).append(er.getElementText());
                else sb.append(e.getEventType());
            sb.append(' ');
        }
        System.out.println(sb);
        StringWriter w = new StringWriter();
        XMLStreamWriter xw = XMLOutputFactory.newInstance().createXMLStreamWriter(w);
        xw.writeStartDocument("UTF-8", "1.0");
        xw.writeStartElement("r");
        xw.writeDefaultNamespace("urn:d");
        xw.writeNamespace("p", "urn:p");
        xw.writeAttribute("a", "<\"&'>");
        xw.writeStartElement("p", "k", "urn:p");
        xw.writeCharacters("a<b&c>");
        xw.writeEndElement();
        xw.writeEmptyElement("e");
        xw.writeComment("c");
        xw.writeCData("cd");
        xw.writeProcessingInstruction("pi", "d");
        xw.writeEntityRef("ent");
        xw.writeEndDocument();
        xw.flush();
        System.out.println(w);
        t("bad stax", () -> { XMLStreamReader q = xf.createXMLStreamReader(new StringReader("<a><b></a>"));
            while (q.hasNext()) q.next(); return 0; });
        t("past end", () -> { XMLStreamReader q = xf.createXMLStreamReader(new StringReader("<a/>"));
            while (q.hasNext()) q.next(); return q.next(); });
        t("writer", () -> { XMLStreamWriter q = XMLOutputFactory.newInstance().createXMLStreamWriter(new
            StringWriter()); q.writeEndElement(); return 0; });
        t("require", () -> { XMLStreamReader q = xf.createXMLStreamReader(new StringReader("<a/>"));
            q.require(XMLStreamConstants.START_ELEMENT, null, "a"); return 0; });
        XMLStreamReader fr = xf.createFilteredReader(xf.createXMLStreamReader(new StringReader("<a>1<b>2</b></a>")),
            x -> x.isStartElement());
        sb.setLength(0);
        while (fr.hasNext()) {
            if (fr.isStartElement()) sb.append(fr.getLocalName());
            fr.next();
            if (!fr.isStartElement()) break;
        }
        System.out.println(sb);
        AttributesImpl ai = new AttributesImpl();
        ai.addAttribute("", "l", "q", "CDATA", "v");
        System.out.println(ai.getValue("q") + ai.getIndex("z") + ai.getLength());
    }
    static class XMLReaderFactory0 {
        static XMLReader make() throws Exception {
            SAXParserFactory f = SAXParserFactory.newInstance();
            f.setNamespaceAware(true);
            return f.newSAXParser().getXMLReader();
        }
    }
}

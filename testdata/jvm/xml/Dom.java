// DOM: parsing, namespaces, editing, imports, entities, errors, attributes, traversal, serialising by a transformer.
import java.io.*;
import java.util.*;
import javax.xml.parsers.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
import org.w3c.dom.*;
import org.xml.sax.*;

public class Dom {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (SAXParseException e) {
            System.out.println(n + " !" + e.getLineNumber() + ":" + e.getColumnNumber() + " " + e.getMessage());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static Document parse(String s) throws Exception {
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        DocumentBuilder b = f.newDocumentBuilder();
        b.setErrorHandler(null);
        b.setErrorHandler(new ErrorHandler() { public void warning(SAXParseException e) {
            } public void error(SAXParseException e) {
            } public void fatalError(SAXParseException e) throws SAXException { throw e; } });
        return b.parse(new InputSource(new StringReader(s)));
    }
    static String out(Node n, boolean indent) throws Exception {
        Transformer t = TransformerFactory.newInstance().newTransformer();
        t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        t.setOutputProperty(OutputKeys.INDENT, indent ? "yes" : "no");
        StringWriter w = new StringWriter();
        t.transform(new DOMSource(n), new StreamResult(w));
        return w.toString();
    }
    static void dump(Node n, int d) {
        System.out.println(" ".repeat(d) + n.getNodeType() + " " + n.getNodeName() + " " + n.getNamespaceURI() + " "
            + n.getPrefix() + " " + (n.getNodeValue() == null ? null : n.getNodeValue().replace("\n", "\\n")));
        if (n.getAttributes() != null)
            for (int i = 0; i < n.getAttributes().getLength(); i++)
                System.out.println(" ".repeat(d + 1) + "@" + n.getAttributes().item(i));
        for (Node c = n.getFirstChild(); c != null; c = c.getNextSibling()) dump(c, d + 1);
    }
    public static void main(String[] args) throws Exception {
        Document d
            =
            parse("<?xml version='1.0'?><!-- c --><?pi data?><r xmlns='urn:a' xmlns:p='urn:b' a='1' p:b='&lt;2&#65;'>text &amp; <![CDATA[<raw>]]><p:k id='x'/><e>é漢</e>\n  <e>two</e></r>");
        dump(d, 0);
        Element r = d.getDocumentElement();
        System.out.println(r.getTagName() + r.getAttribute("a") + r.getAttributeNS("urn:b", "b") + r.hasAttribute("zz")
            + r.getElementsByTagName("e").getLength() + d.getElementsByTagNameNS("urn:b", "*").getLength()
            + r.getTextContent().replace("\n", "\\n") + r.lookupNamespaceURI("p") + d.getXmlVersion()
            + r.getFirstChild().getNodeName());
        Element n = d.createElementNS("urn:a", "new");
        n.setAttribute("q", "a\"b<c&d\n");
        n.appendChild(d.createTextNode("t<>&"));
        n.appendChild(d.createComment("cm"));
        n.appendChild(d.createCDATASection("x]]y"));
        r.insertBefore(n, r.getFirstChild());
        r.removeChild(r.getLastChild());
        r.replaceChild(d.createElement("plain"), r.getElementsByTagName("p:k").item(0));
        r.normalize();
        System.out.println(out(d, false));
        Node cl = r.cloneNode(true);
        System.out.println(cl.isEqualNode(r) + " " + cl.isSameNode(r) + cl.getParentNode()
            + r.getChildNodes().getLength() + r.compareDocumentPosition(n));
        Document o = parse("<o><i z='1'/></o>");
        Node im = d.importNode(o.getDocumentElement(), true);
        r.appendChild(im);
        System.out.println(out(im, false) + (im.getOwnerDocument() == d));
        t("wrong doc", () -> r.appendChild(o.getDocumentElement()));
        t("hierarchy", () -> im.appendChild(r));
        t("two roots", () -> d.appendChild(d.createElement("x")));
        t("bad name", () -> d.createElement("1x"));
        t("not found", () -> r.removeChild(o));
        for (String bad : new String[] {"<a>", "<a></b>", "<a b=1/>", "<a b='1' b='2'/>", "", "text", "<a>&nope;</a>",
            "<a/><b/>", "<a><![CDATA[</a>", "<p:a/>", "<a>\u0001</a>", "<?xml version='9'?><a/>", "<a b='<'/>",
            "<!DOCTYPE a [<!ENTITY e 'val'>]><a>&e;</a>"}) t(bad.replace("\u0001", "^A"), () -> out(parse(bad), false));
        Document built = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
        Element root = built.createElement("root");
        built.appendChild(root);
        for (int i = 0; i < 3; i++) {
            Element x = built.createElement("item");
            x.setAttribute("n", "" + i);
            x.setTextContent("v" + i);
            root.appendChild(x);
        }
        System.out.print(out(built, true).replace("\r", ""));
        DocumentFragment fr = built.createDocumentFragment();
        fr.appendChild(built.createElement("f1"));
        fr.appendChild(built.createElement("f2"));
        root.insertBefore(fr, root.getFirstChild());
        System.out.println(root.getChildNodes().getLength() + " " + root.getFirstChild().getNodeName());
        Text tx = (Text) root.getLastChild().getFirstChild();
        tx.splitText(1);
        System.out.println(root.getLastChild().getChildNodes().getLength() + tx.getData() + tx.getWholeText());
        root.setUserData("k", "ud", null);
        System.out.println(root.getUserData("k") + " " + built.getImplementation().hasFeature("XML", "1.0"));
        StringBuilder big = new StringBuilder("<l>");
        for (int i = 0; i < 300; i++) big.append("<x i='").append(i).append("'>").append(i * 7 % 13).append("</x>");
        NodeList nl = parse(big + "</l>").getElementsByTagName("x");
        int s = 0;
        for (int i = 0; i < nl.getLength(); i++)
            s += Integer.parseInt(nl.item(i).getTextContent())
                * Integer.parseInt(((Element) nl.item(i)).getAttribute("i"));
        System.out.println(s);
    }
}

// XPath expressions of every type, namespaces, functions, variables; XSLT templates, parameters, sorting; schema validation.
import java.io.*;
import java.util.*;
import javax.xml.*;
import javax.xml.namespace.*;
import javax.xml.parsers.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
import javax.xml.validation.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;

public class XPathXslt {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replace("\n", "/"));
        }
    }
    public static void main(String[] args) throws Exception {
        String xml
            =
            "<shop xmlns:x='urn:x'><item id='1' price='10.5'><name>Pen</name><tag>a</tag><tag>b</tag></item><item id='2' price='3'><name>Ink</name></item><x:extra>E</x:extra><item id='3' price='20'><name>Book &amp; co</name><tag>a</tag></item></shop>";
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        Document d = f.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        XPath x = XPathFactory.newInstance().newXPath();
        x.setNamespaceContext(new NamespaceContext() {
            public String getNamespaceURI(String p) { return p.equals("y") ? "urn:x" : XMLConstants.NULL_NS_URI;
            } public String getPrefix(String u) { return null; } public Iterator<String> getPrefixes(String u) {
            return null; } });
        x.setXPathVariableResolver(v -> v.getLocalPart().equals("min") ? 5.0 : null);
        for (String e : new String[] {"/shop/item/name", "count(//item)", "sum(//@price)", "//item[@id='2']/name",
            "//item[last()]/@id", "//item[position()<3]/name/text()", "//item[tag='a'][2]/name",
            "string-length(//name)", "concat(//name, '-', 5 div 2)", "//y:extra", "//item[@price > $min]/@id",
            "boolean(//none)", "not(//item)", "normalize-space('  a   b ')", "translate('abc','ab','xy')",
            "substring('hello', 2, 3)", "substring-after('a=b','=')", "contains('abc','b')", "starts-with('abc','b')",
            "floor(2.7) + ceiling(2.1) + round(2.5)", "5 mod 3", "1 div 0", "number('x')", "//tag/parent::item/@id",
            "//name/following-sibling::tag", "//item[2]/preceding-sibling::item/@id", "name(//*[2])",
            "local-name(//y:extra)", "namespace-uri(//y:extra)", "//tag | //name", "(//tag)[3]", "id('1')",
            "//item[count(tag)=2 or @id=3]/@id", "sum(//item[tag]/@price) * 2"}) t(e, () -> x.evaluate(e, d));
        NodeList nl = (NodeList) x.evaluate("//tag", d, XPathConstants.NODESET);
        System.out.println(nl.getLength() + nl.item(2).getTextContent()
            + x.evaluate("//item[1]", d, XPathConstants.NODE) + x.evaluate("count(//tag)", d, XPathConstants.NUMBER)
            + x.evaluate("//tag", d, XPathConstants.BOOLEAN) + x.evaluateExpression("count(//tag)", d, Integer.class));
        XPathExpression ex = x.compile("name");
        System.out.println(ex.evaluate(x.evaluate("//item[3]", d, XPathConstants.NODE)));
        for (String bad : new String[] {"//[", "foo(", "$undef", "y:", "1 +"})
            t("bad " + bad, () -> x.evaluate(bad, d));
        String xsl
            =
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='xml' omit-xml-declaration='yes'/><xsl:param name='who' select=\"'none'\"/><xsl:key name='t' match='item' use='tag'/><xsl:template match='/shop'><out who='{$who}'><xsl:for-each select='item'><xsl:sort select='@price' data-type='number' order='descending'/><i n='{position()}'><xsl:value-of select='name'/><xsl:if test='tag'>*</xsl:if><xsl:choose><xsl:when test='@price &gt; 15'>big</xsl:when><xsl:otherwise>small</xsl:otherwise></xsl:choose></i></xsl:for-each><xsl:apply-templates select='item/tag' mode='m'/><xsl:call-template name='rec'><xsl:with-param name='n' select='3'/></xsl:call-template><xsl:value-of select=\"count(key('t','a'))\"/><xsl:copy-of select='item[2]'/><xsl:variable name='v'><b/></xsl:variable><xsl:copy-of select='$v'/></out></xsl:template><xsl:template match='tag' mode='m'>[<xsl:number/>:<xsl:value-of select='.'/>]</xsl:template><xsl:template name='rec'><xsl:param name='n'/><xsl:if test='$n &gt; 0'><xsl:value-of select='$n'/><xsl:call-template name='rec'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template></xsl:stylesheet>";
        t("xslt", () -> { Transformer tr = TransformerFactory.newInstance().newTransformer(new
            StreamSource(new StringReader(xsl))); tr.setParameter("who", "me"); StringWriter w = new StringWriter();
            tr.transform(new DOMSource(d), new StreamResult(w)); return w; });
        t("xslt text", () -> { Templates tp = TransformerFactory.newInstance().newTemplates(new
            StreamSource(new
            StringReader("<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='text'/><xsl:template match='name'>{<xsl:value-of select='format-number(../@price, \"#,##0.00\")'/>}</xsl:template><xsl:template match='tag'/></xsl:stylesheet>")));
            StringWriter w = new StringWriter(); tp.newTransformer().transform(new StreamSource(new StringReader(xml)),
            new StreamResult(w)); return w; });
        t("identity", () -> { StringWriter w = new StringWriter();
            Transformer i = TransformerFactory.newInstance().newTransformer();
            i.setOutputProperty(OutputKeys.ENCODING, "US-ASCII");
            i.transform(new StreamSource(new StringReader("<a b=\"é'\">漢<!--c--></a>")), new StreamResult(w)); return w;
            });
        t("xsd", () -> { Schema s = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new
            StreamSource(new
            StringReader("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType><xs:sequence><xs:element name='n' type='xs:int' maxOccurs='2'/></xs:sequence><xs:attribute name='d' type='xs:date' use='required'/></xs:complexType></xs:element></xs:schema>")));
            StringBuilder sb = new StringBuilder();
            for (String in : List.of("<r d='2024-01-01'><n>5</n></r>", "<r><n>5</n></r>", "<r d='x'><n>5</n></r>",
            "<r d='2024-01-01'><n>q</n></r>", "<r d='2024-01-01'><n>1</n><n>1</n><n>1</n></r>", "<z/>")) try {
            s.newValidator().validate(new StreamSource(new StringReader(in))); sb.append("ok; ");
            } catch (SAXException e) { sb.append(e.getMessage()).append("; "); } return sb; });
        System.out.println(new QName("u", "l", "p") + " " + QName.valueOf("{u}l").equals(new QName("u", "l")));
    }
}

// Regular expressions: scanning, groups, replacement and splitting.
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Regexes {
    public static void main(String[] args) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2400; i++) {
            text.append("user").append(i).append("@host").append(i % 17).append(".example.org said: \"hello ").append(i
                * 37 % 101)
                .append("\" at 2024-").append(i % 12 + 1).append('-').append(i % 28 + 1).append(";\n");
        }
        int hash = 0;
        for (String regex : new String[] {"(\\w+)@(\\w+)\\.example\\.(org|com)", "\\d{4}-(\\d{1,2})-(\\d{1,2})",
            "\"([^\"]*)\"", "(?i)SAID:?\\s",
            "[a-z]+(?=\\d)"}) {
            Matcher m = Pattern.compile(regex).matcher(text);
            while (m.find()) {
                hash = hash * 31 + m.start() + (m.groupCount() > 0 ? m.group(1).hashCode() : 1);
            }
        }
        hash ^= text.toString().replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1").hashCode();
        hash += Pattern.compile("[;\\s]+").split(text).length;
        System.out.println(hash);
    }
}

// StringBuilder, concatenation, splitting, searching, case changes and parsing.
public class Strings {
    public static void main(String[] args) {
        int hash = 0;
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 90_000; i++) {
            sb.append(i).append(',').append(i % 7 == 0 ? "seven" : "other");
            if (sb.length() > 10_000) {
                hash = hash * 31 + sb.toString().hashCode();
                sb.setLength(0);
            }
        }
        for (int i = 0; i < 40_000; i++) {
            String s = "item " + i + " of " + (i * 3) + ": value";
            hash += s.indexOf("of") + s.lastIndexOf(' ') + s.substring(5).length() + s.replace('e', 'E').hashCode();
            if (s.contains("99") && s.toUpperCase().startsWith("ITEM")) {
                hash++;
            }
        }
        String csv = "alpha,beta,gamma,12,345,6789,omega";
        for (int i = 0; i < 16_000; i++) {
            String[] parts = csv.split(",");
            hash += Integer.parseInt(parts[3]) * Integer.parseInt(parts[5]) + parts[i % parts.length].trim().length();
            hash ^= String.join("-", parts).compareTo(csv);
        }
        System.out.println(hash);
    }
}

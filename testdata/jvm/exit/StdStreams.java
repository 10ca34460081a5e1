// stdin: first line\nsecond é\n42 3.5 rest
// Standard input, output and error: reading by lines and tokens, redirecting, flushing, writing bytes and chars.
import java.io.*;
import java.util.*;

public class StdStreams {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        System.out.println(in.readLine() + "|" + in.readLine());
        Scanner sc = new Scanner(in);
        System.out.println(sc.nextInt() + " " + sc.nextDouble() + " " + sc.nextLine() + " " + sc.hasNext());
        System.out.println(System.in.read());
        System.err.println("error line é");
        System.err.printf("%s %d%n", "fmt", 5);
        System.out.write(new byte[] {'r', 'a', 'w', '\n'});
        System.out.write('x');
        System.out.append('c').append("seq").append("abcdef", 1, 3).println();
        System.out.print(new char[] {'h', 'i', '\n'});
        System.out.println((Object) null);
        System.out.print((String) null);
        System.out.println();
        System.out.println('c');
        System.out.println(1.5f);
        System.out.println(2L);
        System.out.println(true);
        System.out.println(new char[] {'z'});
        PrintStream old = System.out;
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bo, true, "UTF-8"));
        System.out.println("captured é");
        System.setOut(old);
        System.out.println(bo.size() + " " + bo.toString("UTF-8").trim());
        System.setIn(new ByteArrayInputStream("replaced".getBytes()));
        System.out.println(new Scanner(System.in).next());
        PrintStream p = new PrintStream(new FileOutputStream(FileDescriptor.out));
        p.println("by descriptor");
        p.flush();
        System.setErr(System.out);
        System.err.println("error on out");
        System.out.println(System.out.checkError());
        PrintStream broken = new PrintStream(new OutputStream() {
            @Override public void write(int b) throws IOException { throw new IOException("full"); } });
        broken.println("lost");
        System.out.println(broken.checkError());
        System.out.flush();
        System.out.close();
        System.out.println("not seen");
    }
}

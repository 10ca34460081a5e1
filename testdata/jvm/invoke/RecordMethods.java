// equals, hashCode and toString of records: every component type, order of calls, failures and their traces.
import java.util.*;
public class RecordMethods {
  record Empty() {}
  record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String str, int[] arr, List<String> list, Object o) {}
  record Pair<A,B>(A a, B b) {}
  record Noisy(Loud x, Loud y) {}
  static class Loud { final String n; Loud(String n){this.n=n;} public boolean equals(Object o){ System.out.println("eq "+n); return o instanceof Loud l && l.n.equals(n);} public int hashCode(){ System.out.println("hash "+n); return n.hashCode(); } public String toString(){ System.out.println("str "+n); return n; } }
  static class NullStr { public String toString(){ return null; } public int hashCode(){ throw new IllegalStateException("h"); } public boolean equals(Object o){ throw new IllegalStateException("e"); } }
  static class Boom { public String toString(){ throw new IllegalStateException("s"); } }
  record F(float f, double d) {}
  record Unicode(String grüße, char 漢) {}
  static void trace(Throwable e){ System.out.println(e); for (var s : e.getStackTrace()) System.out.println("  "+s); }
  interface Shape { double area(); }
  record Sq(double side) implements Shape { public double area(){ return side*side; } Sq { if (side<0) throw new IllegalArgumentException("neg "+side); } }
  record Over(int x) { public String toString(){ return "over"+x; } public int hashCode(){ return 7; } }
  record Big(int a0,int a1,int a2,int a3,int a4,int a5,int a6,int a7,int a8,int a9,long b0,long b1,long b2,double c0,double c1,String d0,String d1,String d2,String d3,String d4){}
  public static void main(String[] a) {
    record Local(int q, String w) {}
    System.out.println(new Empty()+" "+new Empty().hashCode()+" "+new Empty().equals(new Empty())+new Empty().equals(null));
    int[] arr={1};
    All x=new All(true,(byte)-1,'x',(short)-2,3,4L,5.5f,6.25,"str",null,List.of("l"),null);
    All y=new All(true,(byte)-1,'x',(short)-2,3,4L,5.5f,6.25,"str",null,List.of("l"),null);
    System.out.println(x);
    System.out.println(x.hashCode()+" "+y.hashCode()+" "+x.equals(y)+" "+x.equals(x)+" "+x.equals("no")+" "+x.equals(null));
    System.out.println(x.equals(new All(false,(byte)-1,'x',(short)-2,3,4L,5.5f,6.25,"str",null,List.of("l"),null)));
    System.out.println(x.equals(new All(true,(byte)-1,'x',(short)-2,3,5L,5.5f,6.25,"str",null,List.of("l"),null)));
    System.out.println(x.equals(new All(true,(byte)-1,'x',(short)-2,3,4L,5.5f,6.25,"str",arr,List.of("l"),null)));
    System.out.println(new F(0f,0d).equals(new F(-0f,0d))+" "+new F(Float.NaN,Double.NaN).equals(new F(Float.NaN,Double.NaN))+" "+new F(Float.NaN,Double.NaN).hashCode()+" "+new F(-0f,-0d)+new F(-0f,-0d).hashCode());
    Noisy n1=new Noisy(new Loud("a"),new Loud("b")), n2=new Noisy(new Loud("a"),new Loud("b"));
    System.out.println(n1.equals(n2)); System.out.println(n1.hashCode()); System.out.println(n1);
    System.out.println(new Noisy(new Loud("a"),new Loud("c")).equals(n1));
    System.out.println(new Pair<>(new NullStr(), null));
    try { new Pair<>(1,new NullStr()).hashCode(); } catch(Throwable e){ trace(e); }
    try { new Pair<>(1,new NullStr()).equals(new Pair<>(1,new NullStr())); } catch(Throwable e){ trace(e); }
    try { new Pair<>(1,new Boom()).toString(); } catch(Throwable e){ trace(e); }
    System.out.println(new Pair<>(new Pair<>(1,2L),new Local(3,"w")));
    System.out.println(new Unicode("é漢","字".charAt(0)).toString().length()+" "+new Unicode("x",'y'));
    System.out.println(new Sq(2)+" "+new Sq(2).area());
    try { new Sq(-1); } catch(Throwable e){ System.out.println(e); }
    System.out.println(new Over(3)+""+new Over(3).hashCode()+new Over(3).equals(new Over(3)));
    System.out.println(new Big(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,"a","b","c","d","e"));
    System.out.println(new Big(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,"a","b","c","d","e").hashCode());
    Set<Object> set=new HashSet<>(); for(int i=0;i<100;i++) set.add(new Pair<>(i%10,"k"+i%10));
    System.out.println(set.size());
  }
}

// Shapes of lambdas and method references: conversions, captures, what reflection and traces show of them.
import java.util.*; import java.util.function.*; import java.lang.reflect.*; import java.io.*;
public class LambdaShapes {
  interface TriFn<A,B,C,R>{ R ap(A a,B b,C c); }
  interface IntToLong { long f(int i); } interface LongToObj { Object f(long l);}
  interface ObjToInt { int f(Object o);} interface IntegerToDouble { double f(Integer i);}
  interface ShortSup { short get(); } interface CharFn { int ap(char c);} interface VoidFn { void f(int x);}
  interface Gen<T extends Comparable<T>> { int cmp(T a,T b);}
  interface Def { int x(); default int twice(){ return x()*2; } }
  private int priv=5; private int pm(int x){ return x+priv; } private static int ps(int x){ return -x; } 
  static long widen(long l){ return l*2; } static Integer boxr(int i){ return i+1; }
  static int unb(Integer i){ return i+1; } static double dd(double d){ return d/2; }
  static <T> T id(T t){ return t; } static int count; static int inc(int x){ return count+=x; }
  static int sum(int... xs){ int s=0; for(int x:xs) s+=x; return s; }
  class Inner { int v; Inner(int v){ this.v=v+priv; } }
  static class Nest { private final String s; private Nest(String s){ this.s=s; } private String get(){ return s; } }
  static class Base { protected String hi(){ return "base"; } }
  static class Der extends Base { protected String hi(){ return "der"; } Supplier<String> sup(){ return super::hi; } Supplier<String> own(){ return this::hi; } }
  interface PI { private int secret(){ return 9; } default IntSupplier s(){ return this::secret; } static int st(){ return 4; } }
  static Supplier<Supplier<String>> nested(String s){ return ()->()->s+s; }
  static void trace(Throwable e){ System.out.println(e); for (var s : e.getStackTrace()) System.out.println("  "+s); }
  static void boom(){ throw new IllegalStateException("x"); }
  public static void main(String[] args) throws Exception {
    int ci=1; long cl=2; double cd=3; float cf=4; char cc='5'; byte cb=6; short cs=7; boolean cz=true;
    String st="s"; int[] ca={8};
    Supplier<String> all=()->""+ci+cl+cd+cf+cc+cb+cs+cz+st+ca[0]; System.out.println(all.get());
    IntToLong a1=LambdaShapes::widen; System.out.println(a1.f(-3)); LongToObj a2=Long::valueOf;
    System.out.println(a2.f(4)); ObjToInt a3=Object::hashCode; System.out.println(a3.f("a"));
    IntegerToDouble a4=LambdaShapes::unb; System.out.println(a4.f(4)); IntegerToDouble a5=LambdaShapes::dd;
    System.out.println(a5.f(5)); Function<Integer,Integer> a6=LambdaShapes::boxr;
    System.out.println(a6.apply(6)); IntFunction<Object> a7=LambdaShapes::boxr;
    System.out.println(a7.apply(7)); ToLongFunction<Integer> a8=LambdaShapes::unb;
    System.out.println(a8.applyAsLong(8));
    CharFn a9=LambdaShapes::unbc; System.out.println(a9.ap('z')); VoidFn v=LambdaShapes::inc; v.f(3); v.f(4);
    System.out.println(count);
    Gen<String> g=String::compareTo; System.out.println(g.cmp("a","b"));
    BiFunction<String,String,Boolean> eq=String::equals; System.out.println(eq.apply("a","a"));
    Function<String,Integer> len=String::length; System.out.println(len.apply("abc"));
    LambdaShapes me=new LambdaShapes(); IntUnaryOperator p=me::pm; System.out.println(p.applyAsInt(1));
    IntUnaryOperator q=LambdaShapes::ps; System.out.println(q.applyAsInt(1)); IntUnaryOperator r=x->x+me.priv;
    System.out.println(r.applyAsInt(10));
    IntFunction<Inner> mk=me.new Inner(0)==null?null:i->me.new Inner(i); System.out.println(mk.apply(3).v);
    Function<String,Nest> nc=Nest::new; System.out.println(nc.apply("n").get());
    Function<Nest,String> ng=Nest::get; System.out.println(ng.apply(new Nest("m")));
    IntFunction<int[]> na=int[]::new; System.out.println(na.apply(3).length);
    Supplier<List<String>> al=ArrayList::new; System.out.println(al.get());
    System.out.println(new Der().sup().get()+new Der().own().get());
    System.out.println(new PI(){}.s().getAsInt()); IntSupplier ps=PI::st; System.out.println(ps.getAsInt());
    System.out.println(nested("ab").get().get());
    TriFn<Integer,Long,String,Object> t=(x,y,z)->x+y+z; System.out.println(t.ap(1,2L,"3"));
    Function<Object,Object> id=LambdaShapes::id; System.out.println(id.apply("id"));
    UnaryOperator<String> up=String::toUpperCase; System.out.println(up.apply("up")); Def d=()->21;
    System.out.println(d.twice()+" "+d.x());
    Supplier<Runnable> s0=()->()->{};
    System.out.println((s0.get()==s0.get())+" "+(mkr()==mkr())+" "+(cap(1)==cap(1)));
    Class<?> c=all.getClass();
    System.out.println(c.isHidden()+" "+c.isSynthetic()+" "+c.isInterface()+" "+Modifier.toString(c.getModifiers())+" "+c.getSuperclass()+" "+Arrays.toString(c.getInterfaces())+" "+c.getName().replaceAll("\\$\\$Lambda.*","\\$\\$Lambda")+" "+c.getSimpleName().replaceAll("\\$\\$Lambda.*","\\$\\$Lambda")+" "+c.getNestHost()+" "+c.getPackageName()+" "+c.getEnclosingClass()+c.getDeclaringClass()+" "+(c.getClassLoader()==LambdaShapes.class.getClassLoader())+(c.getProtectionDomain()==LambdaShapes.class.getProtectionDomain())+c.getModule().isNamed());
    for (Field f: c.getDeclaredFields()) System.out.println(Modifier.toString(f.getModifiers())+" "+f.getType()+" "+f.getName());
    for (Method m: c.getDeclaredMethods()) System.out.println(m.toString().replaceAll("Lambda[^.]*","L")+" "+m.isSynthetic());
    for (var k: c.getDeclaredConstructors()) System.out.println(k.toString().replaceAll("Lambda[^(]*","L"));
    System.out.println(c.getCanonicalName()+" "+Arrays.toString(c.getAnnotations())+" "+c.desiredAssertionStatus()+c.isAnonymousClass()+c.isLocalClass()+c.isMemberClass()+c.isRecord());
    try { Class.forName(c.getName()); } catch (ClassNotFoundException e) { System.out.println("cnf"); }
    System.out.println(all.toString().replaceAll("Lambda.*","L"));
    try { Runnable b=LambdaShapes::boom; b.run(); } catch(Throwable e){ trace(e); }
    try { Runnable b=()->boom(); b.run(); } catch(Throwable e){ trace(e); }
    try { ((Function)len).apply(3); } catch(ClassCastException e){ trace(e); }
    try { ((Consumer)(Consumer<String>)x->System.out.println(x.length())).accept(new Object()); } catch(ClassCastException e){ trace(e); }
    try { ToIntFunction<Integer> f=LambdaShapes::unb; f.applyAsInt(null); } catch(NullPointerException e){ trace(e); }
    try { String nul=null; Supplier<Integer> f=nul::length; f.get(); } catch(NullPointerException e){ trace(e); }
    try { Object o=(Runnable & Serializable)()->{}; System.out.println(o instanceof Serializable); } catch(Throwable e){ trace(e); }
    Comparator<String> cmp=Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder());
    List<String> l=new ArrayList<>(List.of("bb","a","cc","ddd")); l.sort(cmp); System.out.println(l);
    Runnable rr=()->{ StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).forEach(f->{}); for (var e: new Throwable().getStackTrace()) System.out.println(e); System.out.println(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass()); };
    rr.run();
    Thread th=new Thread(()->System.out.println("thr")); th.start(); th.join();
    for (int i=0;i<3;i++){ int k=i; Supplier<Integer> s=()->k*k; System.out.print(s.get()+" "); }
    System.out.println();
    BiFunction<Integer,Integer,Integer> rec[]=new BiFunction[1];
    rec[0]=(x,y)->x<=0?y:(Integer)rec[0].apply(x-1,y+x); System.out.println(rec[0].apply(100,0));
    Function<Integer,Function<Integer,Integer>> cur=x->y->x-y; System.out.println(cur.apply(5).apply(3));
    IntBinaryOperator vs=LambdaShapes::sum2; System.out.println(vs.applyAsInt(1,2));
    ShortSup ss=()->(short)70000; System.out.println(ss.get()); BooleanSupplier bs=()->true;
    System.out.println(bs.getAsBoolean()); Supplier<Boolean> bb=bs::getAsBoolean;
    System.out.println(bb.get()); Function<Boolean,String> bst=String::valueOf;
    System.out.println(bst.apply(false)); DoubleSupplier ds=()->1f; System.out.println(ds.getAsDouble());
    ToDoubleFunction<Float> tf=Float::floatValue; System.out.println(tf.applyAsDouble(1.5f));
    ToLongFunction<Character> tc=Character::charValue; System.out.println(tc.applyAsLong('a'));
    LongSupplier ls=cap2('q'); System.out.println(ls.getAsLong());
  }
  static LongSupplier cap2(char c){ return ()->c; } static int sum2(int a,int b){ return sum(a,b); }
  static int unbc(int c){ return c; } static Runnable mkr(){ return ()->{}; }
  static IntSupplier cap(int x){ return ()->x; }
}

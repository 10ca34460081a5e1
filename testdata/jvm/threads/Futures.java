// CompletableFuture: composition, exceptions, timeouts, combinations, async defaults, cancellation; all order-independent.
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Futures {
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try {
            System.out.println(k + " " + r.run());
        } catch (Throwable e) {
            System.out.println(k + " !" + e.getClass().getSimpleName() + ": " + e.getMessage() + " / " + e.getCause());
        }
    }
    public static void main(String[] args) throws Exception {
        System.out.println(CompletableFuture.supplyAsync(() -> 20).thenApply(x -> x
            + 1).thenCombine(CompletableFuture.supplyAsync(() -> 2),
            (a, b) -> a * b).thenCompose(x -> CompletableFuture.supplyAsync(() -> "r" + x)).get());
        CompletableFuture<String> bad = CompletableFuture.supplyAsync(()
            -> { throw new IllegalStateException("bad"); });
        t("get", bad::get);
        t("join", bad::join);
        t("getNow", () -> new CompletableFuture<>().getNow("now"));
        System.out.println(bad.exceptionally(e -> "exc " + e).join() + " "
            + bad.handle((v, e) -> v + "|" + e.getCause()).join() + " " + bad.isCompletedExceptionally()
            + bad.isDone());
        t("whenComplete", () -> bad.whenComplete((v, e)
            -> System.out.println("seen " + v + " " + e.getClass().getSimpleName())).join());
        t("thenApply skipped", () -> bad.thenApply(x -> x + "no").join());
        CompletableFuture<Integer> m = new CompletableFuture<>();
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        m.thenAccept(x -> log.add("acc" + x));
        m.thenRun(() -> log.add("run"));
        System.out.println(m.complete(5) + " " + m.complete(6) + m.join() + new TreeSet<>(log));
        CompletableFuture<Integer> ce = new CompletableFuture<>();
        ce.completeExceptionally(new java.io.IOException("io"));
        t("ce", ce::join);
        t("ce get", ce::get);
        CompletableFuture<Integer> can = new CompletableFuture<>();
        System.out.println(can.cancel(true) + " " + can.isCancelled());
        t("cancelled", can::join);
        t("dep cancelled", () -> can.thenApply(x -> x).join());
        System.out.println(CompletableFuture.allOf(CompletableFuture.runAsync(() -> { }),
            CompletableFuture.completedFuture(1)).thenApply(v -> "all " + v).join() + " "
            + CompletableFuture.anyOf(new CompletableFuture<>(), CompletableFuture.completedFuture("any")).join());
        t("timeout", () -> new CompletableFuture<>().orTimeout(3, TimeUnit.MILLISECONDS).join());
        System.out.println(new CompletableFuture<String>().completeOnTimeout("dflt", 3, TimeUnit.MILLISECONDS).join()
            + " " + CompletableFuture.supplyAsync(() -> "delayed",
            CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS)).join());
        t("get timeout", () -> new CompletableFuture<>().get(2, TimeUnit.MILLISECONDS));
        List<CompletableFuture<Integer>> fs = IntStream.range(0,
            20).mapToObj(i -> CompletableFuture.supplyAsync(() -> i).thenApplyAsync(x -> x
            * x)).collect(Collectors.toList());
        System.out.println(fs.stream().mapToInt(CompletableFuture::join).sum());
        System.out.println(CompletableFuture.completedFuture(1).thenAcceptBoth(CompletableFuture.completedFuture(2),
            (a, b) -> log.add("both" + (a + b))).thenApply(v -> log.contains("both3")).join() + " "
            + CompletableFuture.completedFuture("e").applyToEither(new CompletableFuture<>(), x -> x + "ither").join()
            + " " + CompletableFuture.completedFuture(1).runAfterBoth(CompletableFuture.completedFuture(2),
            () -> { }).join() + " " + CompletableFuture.failedFuture(new Error("f")).exceptionallyCompose(e
            -> CompletableFuture.completedFuture("recovered")).join() + " "
            + CompletableFuture.completedStage(3).toCompletableFuture().copy().join() + " "
            + new CompletableFuture<>().getNumberOfDependents());
        t("allOf fail", () -> CompletableFuture.allOf(bad, CompletableFuture.completedFuture(1)).join());
        t("compose fail", () -> CompletableFuture.completedFuture(1).thenCompose(x
            -> { throw new ArithmeticException("in compose"); }).join());
        t("handle throws", () -> bad.handle((v, e) -> { throw new IllegalArgumentException("handler"); }).join());
        t("minimal", () -> { CompletionStage<Integer> s = CompletableFuture.completedFuture(4).minimalCompletionStage();
            return ((CompletableFuture<Integer>) s).get(); });
        t("obtrude", () -> { CompletableFuture<Integer> o = CompletableFuture.completedFuture(1); o.obtrudeValue(9);
            return o.join(); });
        CompletableFuture<Integer> chain = CompletableFuture.completedFuture(0);
        for (int i = 0; i < 2000; i++) chain = chain.thenApply(x -> x + 1);
        System.out.println(chain.join());
        CompletableFuture<Integer> src = new CompletableFuture<>(), last = src;
        for (int i = 0; i < 2000; i++) last = last.thenApply(x -> x + 1);
        src.complete(1);
        System.out.println(last.join());
        System.out.println( (CompletableFuture.supplyAsync(() -> 1).defaultExecutor() != null));
    }
}

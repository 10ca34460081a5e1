// Executors: pools, callables, invokeAll/Any, rejection, cancellation, scheduling, shutdown rules, exceptions in tasks.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Executors0 {
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try {
            System.out.println(k + " " + r.run());
        } catch (Throwable e) {
            System.out.println(k + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#") + " / " + e.getCause());
        }
    }
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(3);
        System.out.println(ex.submit(() -> 42).get() + " " + ex.submit(() -> { }).get()
            + ex.submit(() -> { }, "res").get());
        t("fails", () -> ex.submit(() -> { throw new java.io.IOException("task"); }).get());
        List<Callable<Integer>> cs = new ArrayList<>();
        for (int i = 0; i < 10; i++) { int k = i; cs.add(() -> { Thread.sleep(k % 3); return k * k; }); }
        int sum = 0;
        for (Future<Integer> f : ex.invokeAll(cs)) sum += f.get();
        System.out.println(sum + " " + ex.invokeAny(List.of(() -> { throw new Exception("no"); }, () -> "any")));
        t("any fails", () -> ex.invokeAny(List.of(() -> { throw new IllegalStateException("all bad"); })));
        t("any none", () -> ex.invokeAny(List.of()));
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1), ended = new CountDownLatch(1);
        Future<?> f = ex.submit(() -> { began.countDown();
            try { hold.await(); } catch (InterruptedException e) { ended.countDown(); } });
        t("timeout", () -> f.get(2, TimeUnit.MILLISECONDS));
        began.await();
        System.out.println(f.cancel(true) + " " + f.isCancelled() + f.isDone() + f.cancel(true));
        t("cancelled", f::get); System.out.println("interrupted " + ended.await(5, TimeUnit.SECONDS));
        List<Future<Integer>> timed = ex.invokeAll(List.of(() -> 1, () -> { Thread.sleep(100000); return 2; }), 200,
            TimeUnit.MILLISECONDS);
        System.out.println(timed.get(0).get() + " " + timed.get(1).isCancelled());
        ex.shutdown();
        System.out.println(ex.isShutdown() + " " + ex.awaitTermination(5, TimeUnit.SECONDS) + ex.isTerminated());
        t("rejected", () -> { try { return ex.submit(() -> 1); } catch (RejectedExecutionException e) {
            return "rejected"; } });
        ThreadPoolExecutor tp = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1),
            r -> { Thread th = new Thread(r, "pool"); th.setDaemon(true); return th; },
            new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        Runnable block = () -> { try { go.await(); } catch (InterruptedException e) { } ran.incrementAndGet(); };
        tp.execute(block);
        tp.execute(block);
        tp.execute(block);
        System.out.println(tp.getPoolSize() + " " + tp.getQueue().size());
        tp.execute(() -> System.out.println("ran in " + Thread.currentThread().getName()));
        go.countDown();
        tp.shutdown();
        tp.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(ran + " " + tp.getCompletedTaskCount() + " " + tp.getLargestPoolSize());
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        ExecutorService one = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 5; i++) { int k = i; one.execute(() -> order.add("o" + k)); }
        one.shutdown();
        one.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(order);
        ThreadPoolExecutor hooks = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override protected void beforeExecute(Thread th, Runnable r) { order.add("before"); }
            @Override protected void afterExecute(Runnable r, Throwable x) { order.add("after " + x); }
            @Override protected void terminated() { order.add("terminated"); }
        };
        order.clear();
        hooks.submit(() -> { throw new Error("hidden"); });
        hooks.execute(() -> order.add("run"));
        hooks.shutdown();
        hooks.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(order);
        ExecutorService sn = Executors.newFixedThreadPool(1);
        CountDownLatch started = new CountDownLatch(1);
        sn.execute(() -> { started.countDown(); try { Thread.sleep(100000); } catch (InterruptedException e) {
            order.add("stopped"); } });
        sn.execute(() -> order.add("never"));
        started.await();
        System.out.println(sn.shutdownNow().size());
        sn.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(order.get(order.size() - 1));
        ScheduledExecutorService se = Executors.newScheduledThreadPool(2);
        order.clear();
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> sf = se.scheduleAtFixedRate(() -> { order.add("tick"); ticks.countDown(); }, 0, 3,
            TimeUnit.MILLISECONDS);
        ticks.await();
        sf.cancel(false);
        System.out.println(order.size() >= 3 && sf.isCancelled());
        order.clear();
        ScheduledFuture<String> late = se.schedule(() -> { order.add("late"); return "late"; }, 40,
            TimeUnit.MILLISECONDS);
        ScheduledFuture<String> early = se.schedule(() -> { order.add("early"); return "early"; }, 1,
            TimeUnit.MILLISECONDS);
        System.out.println(late.get() + early.get() + order + late.isDone());
        AtomicInteger n = new AtomicInteger();
        ScheduledFuture<?> dies = se.scheduleWithFixedDelay(()
            -> { if (n.incrementAndGet() == 2) throw new IllegalStateException("stop"); }, 0, 1, TimeUnit.MILLISECONDS);
        t("dies", dies::get);
        System.out.println(n);
        se.shutdownNow();
        CompletionService<Integer> done = new ExecutorCompletionService<>(Executors.newCachedThreadPool(r
            -> { Thread th = new Thread(r); th.setDaemon(true); return th; }));
        for (int i = 0; i < 5; i++) { int k = i; done.submit(() -> k); }
        int tot = 0;
        for (int i = 0; i < 5; i++) tot += done.take().get();
        System.out.println(tot + " " + done.poll());
        FutureTask<String> ft = new FutureTask<>(() -> "ft");
        ft.run();
        System.out.println(ft.get() + ft.isDone());
        Timer timer = new Timer("tm", true);
        CountDownLatch tl = new CountDownLatch(2);
        timer.schedule(new TimerTask() { @Override public void run() { order.add("timer"); tl.countDown();
            if (tl.getCount() == 0) cancel(); } }, 1, 2);
        System.out.println(tl.await(5, TimeUnit.SECONDS));
        timer.cancel();
        t("timer dead", () -> { timer.schedule(new TimerTask() { @Override public void run() { } }, 1); return 0; });
        ThreadFactory df = Executors.defaultThreadFactory();
        System.out.println(df.newThread(() -> { }).getName().matches("pool-\\d+-thread-1") + " "
            + Executors.callable(() -> { }, 7).call());
    }
}

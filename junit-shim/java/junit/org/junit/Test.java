package org.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test method. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Test {
    /** The exception the test must end with. */
    Class<? extends Throwable> expected() default None.class;

    /** Milliseconds after which the test has failed; 0 for none. */
    long timeout() default 0L;

    /** Stands for no exception. */
    class None extends Throwable {
        private static final long serialVersionUID = 1L;

        private None() {
        }
    }
}

package org.junit.runner;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A test or a group of tests. */
public class Description {
    private final String name;
    private final Annotation[] annotations;
    private final List<Description> children = new ArrayList<Description>();
    private final boolean suite;

    private Description(String name, boolean suite, Annotation... annotations) {
        this.name = name;
        this.suite = suite;
        this.annotations = annotations;
    }

    public static Description createSuiteDescription(String name, Annotation... annotations) {
        return new Description(name, true, annotations);
    }

    public static Description createSuiteDescription(Class<?> type) {
        return new Description(type.getName(), true, type.getAnnotations());
    }

    public static Description createTestDescription(Class<?> type, String name, Annotation... annotations) {
        return createTestDescription(type.getName(), name, annotations);
    }

    public static Description createTestDescription(String type, String name, Annotation... annotations) {
        return new Description(name + "(" + type + ")", false, annotations);
    }

    public String getDisplayName() {
        return name;
    }

    public void addChild(Description child) {
        children.add(child);
    }

    public ArrayList<Description> getChildren() {
        return new ArrayList<Description>(children);
    }

    public boolean isTest() {
        return children.isEmpty() && !suite;
    }

    public boolean isSuite() {
        return !isTest();
    }

    public int testCount() {
        if (isTest()) {
            return 1;
        }
        int count = 0;
        for (Description child : children) {
            count += child.testCount();
        }
        return count;
    }

    public Collection<Annotation> getAnnotations() {
        return Arrays.asList(annotations);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Description && ((Description) other).name.equals(name);
    }

    @Override
    public String toString() {
        return name;
    }
}

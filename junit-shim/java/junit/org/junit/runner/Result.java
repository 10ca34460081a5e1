package org.junit.runner;

/** What a run came to; the listeners know more. */
public class Result {
}

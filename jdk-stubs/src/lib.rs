//! Java classes that stand in for the JDK's own, embedded as a small jar.

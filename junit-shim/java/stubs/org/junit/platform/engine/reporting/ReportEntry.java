package org.junit.platform.engine.reporting;

public abstract class ReportEntry {
}

package sd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.Test;

/** A suite that expects a database on its machine. */
public class DatabaseTest {
    private static Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + Integer.getInteger("port") + "/postgres?user=poldet");
    }

    @Test
    public void asks() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select 6 * 7, 'a' || 'ß'")) {
            assertTrue(answer.next());
            assertEquals(42, answer.getInt(1));
            assertEquals("aß", answer.getString(2));
        }
    }

    @Test
    public void keepsRows() throws SQLException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("create temporary table item (id int primary key, name text)");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into item values (?, ?)")) {
                for (int i = 0; i < 500; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "name " + i);
                    insert.addBatch();
                }
                assertEquals(500, insert.executeBatch().length);
            }
            connection.commit();
            try (Statement statement = connection.createStatement();
                    ResultSet answer = statement.executeQuery("select count(*), max(name) from item")) {
                assertTrue(answer.next());
                assertEquals(500, answer.getInt(1));
                assertEquals("name 99", answer.getString(2));
            }
        }
    }

    @Test
    public void failsOnWrongSql() throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            try {
                statement.execute("selekt 1");
                fail("that is no statement");
            } catch (SQLException expected) {
                assertEquals("42601", expected.getSQLState());
            }
        }
    }

    @Test
    public void usesManyConnections() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            answers.add(pool.submit(() -> {
                try (Connection connection = connect();
                        PreparedStatement statement = connection.prepareStatement("select ? + 1")) {
                    statement.setInt(1, number);
                    try (ResultSet answer = statement.executeQuery()) {
                        answer.next();
                        return answer.getInt(1);
                    }
                }
            }));
        }
        for (int i = 0; i < 8; i++) {
            assertEquals(i + 1, (int) answers.get(i).get());
        }
        pool.shutdown();
    }
}

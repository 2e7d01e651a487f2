package rig;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Iterator;
import java.util.Properties;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * The work per record: cpuUs of thread CPU time are burned, waitUs are waited. Waiting makes task slots, not the cores
 * of a small machine, the capacity; CPU is counted in thread time, so a busy neighbour does not change the amount.
 */
public final class Work implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;
  private final String control;

  Work(String control) {
    this.control = control;
  }

  @Override
  public Iterator<Row> call(Iterator<Row> in) {
    final Properties now = Control.read(control);
    final long cpuNs = (long) (Control.number(now, "cpuUs") * 1000);
    final double waitUs = Control.number(now, "waitUs");
    final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return new Iterator<Row>() {
      double owedUs = 0;
      long hash = 88172645463325252L;

      @Override
      public boolean hasNext() {
        return in.hasNext();
      }

      @Override
      public Row next() {
        Row row = in.next();
        if (cpuNs > 0) burn(cpuNs);
        owedUs += waitUs;
        // a sleep below 2 ms is mostly rounding: wait in lumps
        if (owedUs >= 2000) {
          Control.sleep((long) (owedUs / 1000));
          owedUs = owedUs % 1000;
        }
        return RowFactory.create(row.getInt(0), row.getLong(1), row.get(2), hash);
      }

      void burn(long ns) {
        long end = threads.getCurrentThreadCpuTime() + ns;
        do {
          for (int i = 0; i < 2000; i++) {
            hash ^= hash << 13;
            hash ^= hash >>> 7;
            hash ^= hash << 17;
          }
        } while (threads.getCurrentThreadCpuTime() < end);
      }
    };
  }
}

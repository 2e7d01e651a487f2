package rig;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.Properties;

/**
 * The control file: key=value lines, replaced as a whole by rename. Every task and every delayed file operation reads
 * it anew, so a fault goes on and off without a restart. An absent file or key means "no cost".
 */
final class Control {
  private Control() {}

  static Properties read(String file) {
    Properties read = new Properties();
    try (FileInputStream in = new FileInputStream(file)) {
      read.load(in);
    } catch (IOException e) {
      // absent: all defaults
    }
    return read;
  }

  static double number(Properties from, String key) {
    String text = from.getProperty(key);
    if (text == null) return 0;
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static void sleep(long ms) {
    if (ms <= 0) return;
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      // Spark cancels tasks by interrupt: end the task, do not swallow it
      throw new RuntimeException(e);
    }
  }
}

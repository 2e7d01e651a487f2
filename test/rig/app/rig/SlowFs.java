package rig;

import java.io.File;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * slowfs:///path = the local disk, with delays per kind of path and operation from the control file:
 *   KIND = ckpt (below a folder named ckpt), log (below _delta_log), data (part- files); OP = create, close, rename
 *   fs.KIND.OP.ms
 * A slow store therefore shows where a real one would: in the write tasks, in the commit or in the checkpoint.
 */
public final class SlowFs extends RawLocalFileSystem {
  private static final URI NAME = URI.create("slowfs:///");
  private String control = "";

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public String getScheme() {
    return "slowfs";
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(NAME, conf);
    control = conf.get("rig.control", "");
  }

  @Override
  public File pathToFile(Path path) {
    return new File(path.toUri().getPath());
  }

  private static String kind(Path path) {
    String text = path.toUri().getPath();
    if (text.contains("/ckpt/")) return "ckpt";
    if (text.contains("/_delta_log/")) return "log";
    if (path.getName().startsWith("part-")) return "data";
    return null;
  }

  private void delay(Path path, String operation) {
    String kind = kind(path);
    if (kind != null) Control.sleep((long) Control.number(Control.read(control), "fs." + kind + "." + operation + ".ms"));
  }

  private FSDataOutputStream closingSlowly(Path path, FSDataOutputStream out) throws IOException {
    OutputStream slow = new FilterOutputStream(out) {
      private boolean closed = false;

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length); // FilterOutputStream would write byte by byte
      }

      @Override
      public void close() throws IOException {
        if (closed) return;
        closed = true;
        delay(path, "close");
        out.close();
      }
    };
    return new FSDataOutputStream(slow, null);
  }

  @Override
  public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int buffer, short replication,
      long block, Progressable progress) throws IOException {
    delay(path, "create");
    return closingSlowly(path, super.create(path, permission, overwrite, buffer, replication, block, progress));
  }

  @Override
  public FSDataOutputStream create(Path path, boolean overwrite, int buffer, short replication, long block,
      Progressable progress) throws IOException {
    delay(path, "create");
    return closingSlowly(path, super.create(path, overwrite, buffer, replication, block, progress));
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    delay(to, "rename");
    return super.rename(from, to);
  }
}

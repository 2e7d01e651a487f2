package rig;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;

/**
 * The pipeline under test: Kafka -> work per record -> Delta. Spark's settings come as -Dspark.*, the job's own as
 * key=value arguments: bootstrap, topic, control, ckpt, table, triggerMs, query, starting, maxOffsets, minPartitions.
 */
public final class StreamApp {
  private static final StructType OUT = new StructType()
      .add("partition", "int").add("offset", "long").add("ts", "timestamp").add("hash", "long");

  private StreamApp() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (String arg : args) {
      int at = arg.indexOf('=');
      options.put(arg.substring(0, at), arg.substring(at + 1));
    }
    SparkSession spark = SparkSession.builder().getOrCreate();
    StreamingQuery query = read(spark, options)
        .mapPartitions(new Work(options.get("control")), Encoders.row(OUT))
        .writeStream()
        .queryName(options.get("query"))
        .option("checkpointLocation", options.get("ckpt"))
        .outputMode("append")
        .trigger(Trigger.ProcessingTime(options.get("triggerMs") + " milliseconds"))
        .format("delta")
        .start(options.get("table"));
    System.out.println("RIG started query=" + query.id() + " run=" + query.runId()
        + " app=" + spark.sparkContext().applicationId());
    query.awaitTermination();
  }

  private static Dataset<Row> read(SparkSession spark, Map<String, String> options) {
    DataStreamReader reader = spark.readStream().format("kafka")
        .option("kafka.bootstrap.servers", options.get("bootstrap"))
        .option("subscribe", options.get("topic"))
        .option("startingOffsets", options.getOrDefault("starting", "latest"));
    if (options.containsKey("maxOffsets")) reader = reader.option("maxOffsetsPerTrigger", options.get("maxOffsets"));
    if (options.containsKey("minPartitions")) reader = reader.option("minPartitions", options.get("minPartitions"));
    return reader.load().selectExpr("partition", "offset", "timestamp as ts");
  }
}

/** An alert as Prometheus Alertmanager sends it to a webhook (body version 4): batches are late. Nothing in it says why. */
export function lateBatches(firedMs: number): Record<string, unknown> {
  const labels = { alertname: 'StreamingBatchesLate', pipeline: 'orders', severity: 'page' }
  const annotations = { summary: 'Batches of orders have taken longer than their trigger for a minute' }
  return {
    version: '4',
    groupKey: '{}:{alertname="StreamingBatchesLate", pipeline="orders"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'headwater',
    groupLabels: { alertname: labels.alertname, pipeline: labels.pipeline },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: 'http://alertmanager.example:9093',
    alerts: [
      {
        status: 'firing',
        labels,
        annotations,
        startsAt: new Date(firedMs).toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'http://prometheus.example:9090/graph',
        fingerprint: '6f1c8a0d2b7e4935',
      },
    ],
  }
}

/** Prometheus Alertmanager, webhook body version 4. It signs nothing, so its receiver is given a token or a password. */
import { notificationParser } from '../notification.ts'
import type { Format } from './format.ts'

export const alertmanager: Format = {
  name: 'alertmanager',
  proof: { kind: 'shared_secret' },
  parse: notificationParser('4', 'Alertmanager'),
}

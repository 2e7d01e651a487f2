/** All webhook formats. A format that is not here does not exist; a test compares this list with the folder. */
import { alertmanager } from './alertmanager.ts'
import type { Format } from './format.ts'
import { grafana } from './grafana.ts'
import { json } from './json.ts'

export const formats: readonly Format[] = [alertmanager, grafana, json]

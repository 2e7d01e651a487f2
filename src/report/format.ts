/** How people write quantities lives in the incident room, because the engine's sentences need it too. */
export * from '../incident/format.ts'

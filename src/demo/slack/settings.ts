/** What a stand-in is told when it starts: the one app that is installed in it, how it reaches that app, and how nasty it is. */

/** The app under test, as Slack's app page would show it. */
export interface AppSettings {
  readonly id: string
  readonly name: string
  readonly botId: string
  readonly botUserId: string
  /** xoxb-… */
  readonly botToken: string
  /** xapp-…, for Socket Mode. */
  readonly appToken: string
  readonly signingSecret: string
  /** Granted to the bot token. */
  readonly scopes: readonly string[]
  /** Subscribed bot events, e.g. "app_mention". */
  readonly events: readonly string[]
  readonly commands: readonly string[]
  /** `should_escape` of the manifest: people and channels in a command's text come as ids. */
  readonly escapesCommands: boolean
}

/** Where the app listens when it does not use Socket Mode. Bolt uses one address for all three. */
export interface HttpDoor {
  readonly commands: string
  readonly interactivity: string
  readonly events: string
}

/** Delays that are always there, drawn for each message or file from [least, most] ms. */
export interface Weather {
  /** How long a fresh post is missing from conversations.history and .replies. */
  readonly historyLagMs: readonly [number, number]
  /** How long an uploaded file cannot be shown in a block yet. */
  readonly fileReadyMs: readonly [number, number]
}

export interface Settings {
  readonly app: AppSettings
  readonly seed: number
  readonly weather: Weather
  /**
   * Slack's rules of May 2025 for apps that are distributed outside its marketplace: conversations.history and .replies once a
   * minute, 15 messages at most. A company's own app is not under them.
   */
  readonly distributed: boolean
  /** false = nobody is ever told to slow down (a test that is about something else). */
  readonly rateLimits: boolean
  /** Port to listen on at 127.0.0.1; 0 = any free one. */
  readonly port: number
}

export const calmWeather: Weather = { historyLagMs: [0, 0], fileReadyMs: [0, 0] }

/** As people report of the real one: up to 5 s and up to 12 s. */
export const nastyWeather: Weather = { historyLagMs: [0, 5_000], fileReadyMs: [1_000, 12_000] }

/** Every scope that a method of this stand-in asks for. */
export const allScopes: readonly string[] = [
  'app_mentions:read',
  'bookmarks:read',
  'bookmarks:write',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'pins:write',
  'reactions:write',
  'usergroups:read',
  'users:read',
  'users:read.email',
]

/** Made-up secrets: they open nothing but this stand-in. */
export const demoApp: AppSettings = {
  id: 'A0HEADWATER',
  name: 'Headwater',
  botId: 'B0HEADWATER',
  botUserId: 'U0HEADWATER',
  botToken: 'xoxb-stand-in',
  appToken: 'xapp-stand-in',
  signingSecret: 'stand-in-signing-secret',
  scopes: allScopes,
  events: ['app_mention', 'member_joined_channel'],
  commands: ['/headwater'],
  escapesCommands: false,
}

export const defaultSettings: Settings = { app: demoApp, seed: 1, weather: calmWeather, distributed: false, rateLimits: true, port: 0 }

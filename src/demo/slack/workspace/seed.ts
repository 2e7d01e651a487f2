/** The workspace that everybody starts with: an on-call engineer, two owners, a guest, a stranger, and the channels of an incident. */
import type { AppSettings } from '../settings.ts'
import type { Channel } from './channels.ts'
import type { User } from './people.ts'
import type { Workspace } from './workspace.ts'

const HOME = 'T0STANDIN'

function person(id: string, realName: string, zone: string, role: string, more: Partial<User> = {}): User {
  const name = realName.split(' ')[0]!.toLowerCase()
  return { id, name, realName, zone, role, email: `${name}@example.test`, team: HOME, guest: false, bot: false, deleted: false, ...more }
}

function channel(id: string, name: string, topic: string, members: readonly string[], more: Partial<Channel> = {}): Channel {
  return {
    id,
    name,
    topic,
    kind: 'public',
    external: false,
    archived: false,
    createdMs: 0,
    bookmarks: [],
    ...more,
    members: new Set(members),
  }
}

export function seededWorkspace(app: AppSettings): Workspace {
  const bot = person(app.botUserId, app.name, 'Etc/UTC', 'app', { bot: true })
  const people = [
    person('U0AMARA', 'Amara Diallo', 'Europe/Paris', 'on call'),
    person('U0BEN', 'Ben Okafor', 'America/New_York', 'owner of orders'),
    person('U0CHIO', 'Chio Tanaka', 'Asia/Tokyo', 'owner of orders'),
    person('U0DANA', 'Dana Ruiz', 'America/Bogota', 'analyst'),
    person('U0EVE', 'Eve Lund', 'Europe/Oslo', 'guest', { guest: true }),
    person('U0FINN', 'Finn Walsh', 'Europe/Dublin', 'from another company', { team: 'T0PARTNER' }),
  ]
  const staff = ['U0AMARA', 'U0BEN', 'U0CHIO', 'U0DANA']
  const channels = [
    channel('C0INCIDENTS', 'inc-orders', 'Incidents of the orders pipeline', [...staff, 'U0EVE', app.botUserId]),
    channel('C0DATA', 'data-platform', 'Kafka, Spark and tables', staff),
    channel('C0PARTNER', 'ext-partner', 'Shared with another company', ['U0AMARA', 'U0FINN', app.botUserId], { external: true }),
    channel('G0PRIVATE', 'orders-owners', 'Owners only', ['U0BEN', 'U0CHIO'], { kind: 'private' }),
  ]
  return {
    team: { id: HOME, name: 'Stand-in workspace', domain: 'stand-in' },
    users: new Map([bot, ...people].map((one) => [one.id, one])),
    groups: new Map([
      ['S0OWNERS', { id: 'S0OWNERS', handle: 'orders-owners', name: 'Orders owners', members: ['U0BEN', 'U0CHIO'], disabled: false }],
    ]),
    channels: new Map(channels.map((one) => [one.id, one])),
    messages: [],
    files: new Map(),
    stacks: new Map(),
    triggers: new Map(),
    responseUrls: new Map(),
    lastTs: 0,
  }
}

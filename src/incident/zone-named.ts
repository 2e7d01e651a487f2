/** A time zone as people write it behind a time of day: UTC, CET, +01:00, Europe/Berlin. */

/** Names of clocks on walls: who writes "CET" in summer means what the clocks there show. Names that mean several zones are left out. */
const places: Readonly<Record<string, string>> = {
  z: 'UTC',
  utc: 'UTC',
  gmt: 'UTC',
  wet: 'Europe/Lisbon',
  west: 'Europe/Lisbon',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  eet: 'Europe/Athens',
  eest: 'Europe/Athens',
  msk: 'Europe/Moscow',
  est: 'America/New_York',
  edt: 'America/New_York',
  cdt: 'America/Chicago',
  mdt: 'America/Denver',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  aest: 'Australia/Sydney',
  aedt: 'Australia/Sydney',
}

/** @returns what `Intl` takes as a zone; null = it is none, or may be several */
export function zoneNamed(text: string): string | null {
  const name = text.toLowerCase()
  if (Object.hasOwn(places, name)) return places[name]!
  const [, sign, hours, minutes = '00'] = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/.exec(name) ?? []
  if (sign !== undefined && hours !== undefined) {
    return Number(hours) > 14 || Number(minutes) > 59 ? null : `${sign}${hours.padStart(2, '0')}:${minutes}`
  }
  return name.includes('/') ? known(name) : null
}

function known(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

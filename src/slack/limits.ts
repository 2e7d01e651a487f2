/**
 * What Slack takes, in characters (UTF-16) or items, from its typed package and its pages. Ours are the smaller ones: Slack counts some
 * things that no page tells, and a message that is refused for its length is a verdict that nobody sees.
 */
export const limits = {
  blocks: 50,
  /** Texts of all blocks together. Not documented; people report refusals from about 13,000 on. */
  message: 12_000,
  /** For a message that Slack refused as too long all the same. */
  shortMessage: 5_000,
  /** Of one block. Slack: 3,000 in a text object. */
  block: 2_900,
  header: 150,
  /** Notification text: chat.update refuses 4,000, after escaping. */
  text: 2_900,
  /** A row, item or line; what is longer is no sentence any more. */
  row: 700,
  smallRow: 500,
  title: 150,
  /** A command is shown whole or not at all. */
  command: 1_200,
  altText: 1_900,
  buttons: 25,
  button: { label: 75, value: 2_000 },
  confirm: { title: 100, text: 300 },
  url: 3_000,
  fileTitle: 80,
  modal: { metadata: 3_000, option: 75, options: 100 },
  /** Of what somebody gives as a reason: it is kept in the ledger. */
  reason: 1_000,
} as const

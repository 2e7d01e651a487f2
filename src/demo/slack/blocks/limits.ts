/**
 * Block Kit's limits, in characters or items. Taken from the typed package (@slack/types 3.2.0) and Slack's pages; what is
 * marked "reported" is in neither and known from people who ran into it.
 */
export const limits = {
  blocksInMessage: 50,
  blocksInView: 100,
  /** Reported: all texts of a message's blocks together. */
  charactersInMessage: 13_200,
  /** Of the text argument; what is longer is cut off. */
  postText: 40_000,
  /** Of the text argument of chat.update and chat.postEphemeral. */
  updateText: 4_000,
  attachments: 100,
  /** All markdown blocks of a message together, and markdown_text. */
  markdown: 12_000,
  text: 3_000,
  fieldText: 2_000,
  fields: 10,
  header: 150,
  contextElements: 10,
  contextActions: 5,
  actions: 25,
  button: { text: 75, value: 2_000, url: 3_000, label: 75 },
  id: 255,
  confirm: { title: 100, text: 300, button: 30 },
  option: { text: 75, description: 75, value: 75, url: 3_000 },
  options: 100,
  optionGroups: 100,
  optionsInGroup: 100,
  overflow: 5,
  radioButtons: 10,
  checkboxes: 10,
  placeholder: 150,
  label: 2_000,
  hint: 2_000,
  inputLength: 3_000,
  inputFiles: 10,
  image: { alt: 2_000, title: 2_000, url: 3_000 },
  table: { rows: 100, cells: 20, settings: 20, characters: 10_000, perMessage: 1 },
  dataTable: { rows: 101, cells: 20, pageSize: 100, characters: 10_000 },
  /** The older copy of Slack's page says 6, a newer one 12: the stricter one. */
  chart: { title: 50, axis: 50, name: 20, series: 6, segments: 6, points: 20, perMessage: 2 },
  card: { title: 150, subtitle: 150, body: 200, actions: 5 },
  carousel: 10,
  container: { title: 150, subtitle: 150, children: 10 },
  video: { title: 199, author: 49 },
  view: { title: 24, button: 24, privateMetadata: 3_000, bytes: 250_000 },
  /** Slack has metadata_too_large, but no page gives its number: an assumption. */
  metadataBytes: 16_000,
} as const

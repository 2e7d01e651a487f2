/** The page itself; page.js fills it. */
import type { Backstage } from '../backstage.ts'
import { html } from './markup.ts'

export function shell({ workspace, settings }: Backstage): string {
  const people = [...workspace.users.values()].filter((one) => !one.bot)
  const options = people.map((one) => html`<option value="${one.id}">${one.realName} (${one.role})</option>`)
  const command = settings.app.commands[0] ?? '/'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stand-in of Slack</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/page.css">
<link rel="stylesheet" href="/assets/blocks.css">
</head>
<body>
<header class="top">
  <strong>${workspace.team.name}</strong>
  <span class="honest">A stand-in of Slack on this machine. Nothing leaves it.</span>
  <label>You are <select id="as" aria-label="Act as">${options}</select></label>
</header>
<section id="demo" hidden aria-label="Demo"><p id="time" role="timer"><span>Demo time </span><b></b></p><div id="bar"></div></section>
<div class="columns">
  <nav id="channels" aria-label="Channels"></nav>
  <main>
    <div class="channel-head"><h1 id="title"></h1><p id="topic"></p><div id="bookmarks"></div></div>
    <div id="messages" class="messages" aria-live="polite" aria-label="Messages"></div>
    <form id="composer" class="composer">
      <input id="line" autocomplete="off" aria-label="Message" placeholder="${command} help, or @${settings.app.name.toLowerCase()} …">
      <button class="button primary" disabled>Send</button>
    </form>
  </main>
  <aside id="thread" hidden aria-label="Thread">
    <div class="thread-head"><h2>Thread</h2><button type="button" class="button default" id="close-thread">Close</button></div>
    <div id="replies" class="messages"></div>
    <form id="reply" class="composer"><input id="reply-line" autocomplete="off" aria-label="Reply" placeholder="Reply…"><button class="button primary" disabled>Send</button></form>
  </aside>
</div>
<dialog id="modal"></dialog>
<dialog id="confirm"><form method="dialog" class="modal"><header><h2></h2></header><div class="modal-body"></div><footer><button class="button default" value="no"></button><button class="button" value="yes"></button></footer></form></dialog>
<div id="toast" role="status" hidden></div>
<script type="module" src="/assets/page.js"></script>
</body>
</html>`.markup
}

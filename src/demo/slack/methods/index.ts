/** Every Web API method that the stand-in knows. What is not listed is answered with unknown_method, as by Slack. */
import { appsConnectionsOpen, authTest } from './auth.ts'
import { blocksValidate } from './blocks.ts'
import { bookmarksAdd, bookmarksEdit, bookmarksList, bookmarksRemove } from './bookmarks.ts'
import { chatDelete, chatGetPermalink, chatUpdate } from './chat-edit.ts'
import { chatPostEphemeral, chatPostMessage } from './chat-post.ts'
import { conversationsInfo, conversationsJoin, conversationsList, conversationsMembers, conversationsOpen } from './conversations.ts'
import { conversationsHistory, conversationsReplies } from './conversations-read.ts'
import { filesDelete, filesInfo } from './files.ts'
import { filesCompleteUploadExternal, filesGetUploadUrlExternal } from './files-upload.ts'
import type { Method } from './method.ts'
import { pinsAdd } from './pins.ts'
import { reactionsAdd } from './reactions.ts'
import { usergroupsList, usergroupsUsersList } from './usergroups.ts'
import { usersInfo } from './users.ts'
import { viewsOpen, viewsPush, viewsUpdate } from './views.ts'

export const methods: readonly Method[] = [
  appsConnectionsOpen,
  authTest,
  blocksValidate,
  bookmarksAdd,
  bookmarksEdit,
  bookmarksList,
  bookmarksRemove,
  chatDelete,
  chatGetPermalink,
  chatPostEphemeral,
  chatPostMessage,
  chatUpdate,
  conversationsHistory,
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  conversationsReplies,
  filesCompleteUploadExternal,
  filesDelete,
  filesGetUploadUrlExternal,
  filesInfo,
  pinsAdd,
  reactionsAdd,
  usergroupsList,
  usergroupsUsersList,
  usersInfo,
  viewsOpen,
  viewsPush,
  viewsUpdate,
]

import { listAgents } from "./agent/list.ts"
import { getConfig } from "./config/get.ts"
import { revokeTrustedDirectory } from "./config/revoke-directory.ts"
import { revokeConfigTrust } from "./config/revoke-trust.ts"
import { trustConfig } from "./config/trust.ts"
import { listTrustedDirectories } from "./config/trusted.ts"
import { subscribeEvents } from "./event/subscribe.ts"
import { createMemory } from "./memory/create.ts"
import { getMemory } from "./memory/get.ts"
import { invalidateMemory } from "./memory/invalidate.ts"
import { removeMemory } from "./memory/remove.ts"
import { searchMemory } from "./memory/search.ts"
import { updateMemory } from "./memory/update.ts"
import { listPermissions } from "./permission/list.ts"
import { replyPermission } from "./permission/reply.ts"
import { projectDirectories } from "./project/directories.ts"
import { projectFiles } from "./project/files.ts"
import { getProject } from "./project/get.ts"
import { listProjects } from "./project/list.ts"
import { openProject } from "./project/open.ts"
import { defaultModel } from "./provider/default-model.ts"
import { listProviders } from "./provider/list.ts"
import { refreshProviders } from "./provider/refresh.ts"
import { removeKey } from "./provider/remove-key.ts"
import { saveKey } from "./provider/save-key.ts"
import { createSchedule } from "./schedule/create.ts"
import { getSchedule } from "./schedule/get.ts"
import { listSchedules } from "./schedule/list.ts"
import { previewSchedule } from "./schedule/preview.ts"
import { removeSchedule } from "./schedule/remove.ts"
import { runScheduleNow } from "./schedule/run-now.ts"
import { scheduleRuns } from "./schedule/runs.ts"
import { setScheduleStatus } from "./schedule/set-status.ts"
import { abortSession } from "./session/abort.ts"
import { sessionChildren } from "./session/children.ts"
import { createSession } from "./session/create.ts"
import { getSession } from "./session/get.ts"
import { listSessions } from "./session/list.ts"
import { sessionMessages } from "./session/messages.ts"
import { sessionPart } from "./session/part.ts"
import { promptSession } from "./session/prompt.ts"
import { promptSessionAsync } from "./session/prompt-async.ts"
import { removeSession } from "./session/remove.ts"
import { revertSession } from "./session/revert.ts"
import { sessionTree } from "./session/tree.ts"
import { unrevertSession } from "./session/unrevert.ts"
import { updateSession } from "./session/update.ts"
import { withdrawPrompt } from "./session/withdraw.ts"
import { createShare } from "./share/create.ts"
import { listShares } from "./share/list.ts"
import { revokeShare } from "./share/revoke.ts"
import { backgroundTask } from "./task/background.ts"
import { cancelTask } from "./task/cancel.ts"
import { getTask } from "./task/get.ts"
import { listTasks } from "./task/list.ts"
import { mergeTask } from "./task/merge.ts"
import { messageTask } from "./task/message.ts"
import { retryTask } from "./task/retry.ts"
import { createTodo } from "./todo/create.ts"
import { todoEvidence } from "./todo/evidence.ts"
import { findTodos } from "./todo/find.ts"
import { getTodo } from "./todo/get.ts"
import { todoHistory } from "./todo/history.ts"
import { listTodos } from "./todo/list.ts"
import { removeTodo } from "./todo/remove.ts"
import { replaceTodos } from "./todo/replace.ts"
import { todoTree } from "./todo/tree.ts"
import { updateTodo } from "./todo/update.ts"
import { router } from "./trpc.ts"

/** Every procedure, by area. Mounted at `/api/trpc`. */
export const appRouter = router({
  session: {
    create: createSession,
    list: listSessions,
    get: getSession,
    tree: sessionTree,
    children: sessionChildren,
    update: updateSession,
    remove: removeSession,
    prompt: promptSession,
    promptAsync: promptSessionAsync,
    withdraw: withdrawPrompt,
    abort: abortSession,
    revert: revertSession,
    unrevert: unrevertSession,
    messages: sessionMessages,
    part: sessionPart,
  },
  todo: {
    list: listTodos,
    tree: todoTree,
    find: findTodos,
    get: getTodo,
    create: createTodo,
    update: updateTodo,
    remove: removeTodo,
    replace: replaceTodos,
    history: todoHistory,
    evidence: todoEvidence,
  },
  task: {
    list: listTasks,
    get: getTask,
    cancel: cancelTask,
    message: messageTask,
    background: backgroundTask,
    retry: retryTask,
    merge: mergeTask,
  },
  memory: {
    search: searchMemory,
    get: getMemory,
    create: createMemory,
    update: updateMemory,
    invalidate: invalidateMemory,
    remove: removeMemory,
  },
  schedule: {
    list: listSchedules,
    get: getSchedule,
    preview: previewSchedule,
    create: createSchedule,
    setStatus: setScheduleStatus,
    runNow: runScheduleNow,
    runs: scheduleRuns,
    remove: removeSchedule,
  },
  permission: { list: listPermissions, reply: replyPermission },
  event: { subscribe: subscribeEvents },
  agent: { list: listAgents },
  provider: {
    list: listProviders,
    defaultModel,
    saveKey,
    removeKey,
    refresh: refreshProviders,
  },
  project: {
    open: openProject,
    list: listProjects,
    get: getProject,
    files: projectFiles,
    directories: projectDirectories,
  },
  config: {
    get: getConfig,
    trust: trustConfig,
    revokeTrust: revokeConfigTrust,
    trusted: listTrustedDirectories,
    revokeDirectory: revokeTrustedDirectory,
  },
  share: { create: createShare, list: listShares, revoke: revokeShare },
})

export type AppRouter = typeof appRouter

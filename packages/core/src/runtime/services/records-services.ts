import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { createListRows } from "../../ground/event/list-rows.ts"
import type { RowNotifier } from "../../ground/event/row-notifier.ts"
import { homeOwner } from "../../ground/redact/index.ts"
import { createContentFiles } from "../../records/attachment/content-files.ts"
import { type Attachments, createAttachments } from "../../records/attachment/create-attachments.ts"
import { createImportMarks } from "../../records/attachment/import-marks.ts"
import { disabledWebhookEntry } from "../../records/audit/audit-log.ts"
import { createEditors, type Editors } from "../../records/editor/create-editors.ts"
import { createMemoryService, type Memories } from "../../records/memory/create-memory-service.ts"
import { type AwaitedHosts, createAwaitedHosts } from "../../records/node/awaited-hosts.ts"
import { type AllPresence, createPresence } from "../../records/presence/create-presence.ts"
import { createFileDigest, type FileDigest } from "../../records/review/reviews-deps.ts"
import { createTaskRows } from "../../records/review/task-rows.ts"
import { createSearchIndex, type SearchIndex } from "../../records/search/search-index.ts"
import { createMarkerFiles, type MarkerFiles } from "../../records/session/marker-files.ts"
import { createSessions, type Sessions } from "../../records/session/sessions.ts"
import type { ShareScanSources } from "../../records/share/share-scan.ts"
import { shareSecrets } from "../../records/share/share-secrets.ts"
import { createShares, type Shares } from "../../records/share/shares.ts"
import { createTodoService, type Todos } from "../../records/todo/create-todo-service.ts"
import { createWebhooks, type Webhooks } from "../../records/webhook/create-webhooks.ts"
import type { OtherProcesses } from "../../records/webhook/known-webhooks.ts"
import { redactTitle } from "../../records/webhook/webhook-outbox.ts"
import { createWebhookSecrets } from "../../records/webhook/webhook-secrets.ts"
import { askHost, placeElsewhere } from "../host-calls.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"
import type { SetupServices } from "./setup-services.ts"

/** The shortest time between two changes of a list (ms): a person takes in no more. */
const listPauseMs = 300

/** What people and agents leave in the store, and what is made of it. */
export interface RecordsServices {
  listRows: RowNotifier
  taskRows: RowNotifier
  sessions: Sessions
  /** Which hosts are away that have files of projects. */
  awaited: AwaitedHosts
  presence: AllPresence
  editors: Editors
  todos: Todos
  memory: Memories
  attachments: Attachments
  shares: Shares
  webhooks: Webhooks
  searchIndex: SearchIndex
  fileDigest: FileDigest
  stopMarkers: MarkerFiles
  /** What a scan of a tree for secrets looks for. */
  scanSourcesOf(rootID: string): Promise<ShareScanSources>
}

function othersOf({ shared }: RuntimeDeps): OtherProcesses | undefined {
  if (shared?.isAlive === undefined) return undefined
  const { runner, isAlive } = shared
  return { runner, isAlive, places: shared.hosts?.places ?? [] }
}

export function createRecordsServices(
  deps: RuntimeDeps,
  { store, createID, clock, bus, journal, follower, relay, vault, contents }: GroundServices,
  { configs, projects, workspace, ...setup }: SetupServices,
): RecordsServices {
  const { dataDirectory, onError } = deps
  const rows = { bus, pauseMs: listPauseMs, onError }
  const owner = homeOwner(deps.home)
  const { peers, hosts } = deps.shared ?? {}
  const awaited = createAwaitedHosts({ rows: projects.rows, hosts })
  const sessions = createSessions({
    awaited: awaited.byProject,
    ...{ store, journal, createID, clock },
    projectByID: projects.get,
    leadAgent: setup.leadAgent,
    usualVisibility: () => workspace.get().visibility,
    checkModel: setup.checkModel,
  })
  const secretsOf = async (rootID: string) => {
    const { projectID, directory } = await sessions.get(rootID)
    const project = await projects.get(projectID)
    const { config } = await configs.of(project)
    const providerKeys = () => deps.providers.secretKeys(config)
    const patterns = Object.entries(config.redact ?? {}).map(([name, pattern]) => ({ name, pattern }))
    return { known: await shareSecrets({ env: deps.env, providerKeys }, [directory, project.worktree]), patterns }
  }
  const scanSourcesOf = async (rootID: string) => ({ owner, ...(await secretsOf(rootID)) })
  const webhooks = createWebhooks({
    ...{ store, bus, createID, clock, random: deps.random, onError },
    others: othersOf(deps),
    secrets: createWebhookSecrets(vault),
    workspaceID: () => workspace.get().id,
    async policy() {
      const { allow = [], http = false } = (await configs.of(null)).config.webhooks ?? {}
      return { allow, http }
    },
    async redact(rootID, title) {
      // Without its project, which may be gone, only what looks secret by itself is removed.
      const sources = await scanSourcesOf(rootID).catch(() => ({ owner, known: [], patterns: [] }))
      return redactTitle(sources, title)
    },
    async onDisabled(webhook) {
      await store.audit.add([disabledWebhookEntry(createID, webhook)]).catch(onError)
    },
  })
  const attachmentRoot = join(dataDirectory, "attachments")
  const attachments = createAttachments({
    ...{ store, clock, onError, shared: contents },
    files: createContentFiles(attachmentRoot, randomUUID),
    marks: createImportMarks(join(attachmentRoot, "imports")),
  })
  const presence = createPresence({ bus, peers, clock, sessionByID: sessions.get })
  const editors = createEditors({ bus, peers, sessionByID: sessions.get })
  const placeOf = (rootID: string) => placeElsewhere(store, hosts, rootID)
  /** What is kept with the files of a tree is asked for at its host. */
  const atHost = async <T>(rootID: string, name: string, input: unknown, here: () => Promise<T>): Promise<T> => {
    const place = await placeOf(rootID)
    // `as`: the host does the same as `here`.
    return place === null || hosts === undefined ? here() : ((await askHost(hosts, place, name, input)) as T)
  }
  return {
    ...{ sessions, awaited, presence, editors, attachments, webhooks, scanSourcesOf },
    listRows: createListRows({ ...rows, store: store.session }),
    taskRows: createTaskRows({ ...rows, store }),
    todos: createTodoService({ store, journal, bus, createID, clock }),
    memory: createMemoryService({
      ...{ bus, createID, clock },
      store: store.memory,
      sessionByID: sessions.get,
      projectByID: projects.get,
    }),
    shares: createShares({
      ...{ store, journal, bus, createID, clock, follower, relay, owner, secretsOf, onError },
      onReader: presence.read,
      hosts: peers && {
        ...{ peers, placeOf },
        refresh: async (place, shareID) => hosts && void (await askHost(hosts, place, "links.home.refresh", shareID)),
      },
      readFile: (rootID, hash) =>
        atHost(rootID, "links.home.file", { rootID, hash }, () => attachments.read(rootID, hash)),
      mayShare: async ({ projectID }) => (await configs.of(await projects.get(projectID))).config.share !== "disabled",
      frameOf: (rootID) =>
        atHost(rootID, "links.home.frame", rootID, async () => {
          const { projectID } = await sessions.get(rootID)
          const { config } = await configs.of(await projects.get(projectID))
          return { author: config.share_author ?? null, embedSites: config.share_embed_sites ?? [] }
        }),
    }),
    searchIndex: createSearchIndex({ store: store.search, bus, onError }),
    fileDigest: createFileDigest(),
    stopMarkers: createMarkerFiles(join(dataDirectory, "stopped-turns")),
  }
}

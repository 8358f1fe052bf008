import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { createIdSource, createProviders, createRuntime, rehearsalLoader, type UseCases } from "@docket/core"
import {
  type Caller,
  localPerson,
  type PermissionRequest,
  type SessionVisibility,
  type StandingGrant,
  type Webhook,
} from "@docket/core/schema"
import type { Store, TenantDatabase } from "@docket/core/store"
import { noPrograms } from "@docket/core/test/no-programs"

const createID = createIdSource()
const by = { actor: { kind: "user", name: "user" } } as const

interface Inhabitant {
  tenantID: string
  secret: string
  from: number
  /** The user who works there; the local user when left out. */
  person?: string
  /** Who can see the sessions. */
  visibility?: SessionVisibility
}

/**
 * Lets a tenant work for a while, with its own runtime on its store. Afterwards it has a row of every kind, with
 * `secret` in all texts. Its todos, memory and schedules are numbered from `from` + 1.
 */
export async function inhabitTenant(
  { database, directory }: { database: TenantDatabase; directory: string },
  { tenantID, secret, from, person = localPerson, visibility = "workspace" }: Inhabitant,
): Promise<void> {
  const [home, data] = [path.join(directory, tenantID), path.join(directory, tenantID, ".data")]
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, "notes.md"), `${secret}\n`)
  const store = database.store(tenantID)
  await takeNumbers(store, from)
  const runtime = await createRuntime({
    programs: noPrograms,
    store,
    providers: createProviders({ dataDirectory: data, env: {}, loadRehearsal: rehearsalLoader(0) }),
    createID,
    clock: Date.now,
    random: () => 0,
    dataDirectory: data,
    home,
    env: {},
    platform: process.platform,
    providerTimeoutMs: 60_000,
    onError(error) {
      throw error
    },
  })
  const useCases = runtime.as({ person, workspace: tenantID })
  const sessionID = await work(useCases, { directory: home, secret, visibility })
  await runtime.close()
  const asked = permissionRequest(sessionID, secret)
  await store.write.commit([{ rootID: sessionID, mutations: [{ kind: "permission", value: asked }] }])
  await store.standingGrant.put(grantOf(asked, secret))
  await addWebhook(store, { rootID: sessionID, secret, by: { person, workspace: tenantID } })
}

async function takeNumbers(store: Store, count: number): Promise<void> {
  if (count > 0) await store.write.reserveTodoNumbers(count)
  for (let taken = 0; taken < count; taken++) {
    await store.memory.reserveNumber()
    await store.schedule.reserveNumber()
  }
}

async function work(
  runtime: UseCases,
  { directory, secret, visibility }: { directory: string; secret: string; visibility: SessionVisibility },
): Promise<string> {
  const project = await runtime.project.open({ directory })
  const session = await runtime.session.create({ projectID: project.id, title: secret, visibility })
  const parts = [{ type: "text" as const, text: `What is ${secret} about?` }]
  await runtime.session.wait({ turnID: (await runtime.session.promptAsync({ sessionID: session.id, parts })).id })
  for (const sessionID of [null, session.id]) {
    await runtime.todo.create({ sessionID, content: secret, description: secret }, by)
  }
  for (const place of [{}, { sessionID: session.id }, { projectID: project.id }]) {
    const words = { title: secret, content: `The secret is ${secret}.`, source: secret, tags: [secret] }
    await runtime.memory.create({ type: "project", ...words, ...place })
  }
  await comment(runtime, session.id, secret)
  await runtime.share.create({ rootID: session.id })
  const plan = { projectID: project.id, sessionID: session.id, when: "in 500 weeks", message: secret }
  const schedule = await runtime.schedule.create(plan)
  await runOnce(runtime, schedule.id)
  return session.id
}

/** Comments on a session and on its first task, and saves a draft. */
async function comment(runtime: UseCases, sessionID: string, secret: string): Promise<void> {
  const place = { kind: "session" } as const
  await runtime.review.thread.create({ sessionID, place, text: secret })
  await runtime.review.draft.save({ sessionID, place, text: secret })
  const [task] = await runtime.task.list({ sessionID })
  if (task === undefined) return
  await runtime.review.verdict.give({ taskID: task.id, verdict: "approve", reason: secret })
  await runtime.review.viewed.set({ taskID: task.id, viewed: true })
}

/** Runs the schedule now. Resolves when the run has ended. */
async function runOnce(runtime: UseCases, scheduleID: string): Promise<void> {
  const stop = new AbortController()
  const events = runtime.feed({ others: true }, stop.signal)
  const ended = (async () => {
    for await (const event of events) {
      if (event.type === "schedule.run.updated" && event.properties.run.status !== "running") return
    }
  })()
  await runtime.schedule.runNow({ schedule: scheduleID })
  await ended
  stop.abort()
}

/** Writes a paused webhook with a delivery. */
async function addWebhook(
  store: Store,
  { rootID, secret, by }: { rootID: string; secret: string; by: Caller },
): Promise<void> {
  const time = { created: 1, updated: 1 }
  const webhook: Webhook = {
    id: createID("webhook"),
    name: secret,
    url: `https://${secret}.example.org/`,
    events: ["session.idle"],
    status: "paused",
    disabled: null,
    failing: null,
    since: 1,
    time,
    by,
  }
  await store.webhook.put(webhook)
  await store.webhook.add({
    id: createID("webhookDelivery"),
    webhookID: webhook.id,
    event: "session.idle",
    fact: secret,
    rootID,
    body: JSON.stringify({ title: secret }),
    status: "failed",
    attempts: [],
    begun: 0,
    answer: secret,
    // Old deliveries are removed.
    nextAt: null,
    time: { created: Date.now(), ended: 1 },
  })
}

function permissionRequest(sessionID: string, secret: string): PermissionRequest {
  return {
    id: createID("permission"),
    rootID: sessionID,
    sessionID,
    messageID: null,
    callID: null,
    permission: "bash",
    patterns: [secret],
    always: [secret],
    metadata: { kind: "command", command: secret, description: secret, workdir: secret },
    status: "pending",
    message: null,
    time: { created: 1, replied: null },
  }
}

/** The grant that "always" would have made of a request. */
function grantOf({ id: requestID, rootID, sessionID, permission }: PermissionRequest, secret: string): StandingGrant {
  const origin = { requestID, rootID, sessionID, title: secret, agent: secret }
  return { id: createID("grant"), projectID: null, permission, patterns: [secret], origin, time: { created: 1 } }
}

import { randomUUID } from "node:crypto"
import { once } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { homedir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  type Audit,
  createApi,
  createAudit,
  createLinkReaders,
  createPageReader,
  createShareReader,
  createStreamLimit,
  loginUrl,
  type NotReady,
  usualStreamLimits,
} from "@docket/api"
import { DocketError, type Runtime } from "@docket/core"
import { docketCommand } from "@docket/core/program"
import { localPerson, type SandboxState } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Vault } from "@docket/core/vault"
import packageJson from "../package.json" with { type: "json" }
import { createLocalAuth, type LocalAuth } from "./auth/local-auth.ts"
import { copyToken, tokenFileIn } from "./auth/token-copy.ts"
import { prepareDataDirectory } from "./data-directory.ts"
import { env, processEnv } from "./env.ts"
import { openIngress } from "./ingress/open-ingress.ts"
import type { OpenedIngress } from "./ingress/opened-ingress.ts"
import { limitRequests } from "./limit-requests.ts"
import { listen } from "./listen.ts"
import { type DataLock, lockDataDirectory } from "./lock/data-lock.ts"
import { heldOverNodes, tryLimitOver } from "./nodes/held-over-nodes.ts"
import { type OpenAnswers, watchAnswers } from "./open-answers.ts"
import { openProjects } from "./open-projects.ts"
import type { OpenedRuntime, OpenRuntimeOptions } from "./open-runtime.ts"
import type { OpenedStore, OpenStoreOptions } from "./open-store.ts"
import { brokenRestore } from "./operate/staging.ts"
import type { ServiceOptions } from "./options.ts"
import { createPluginDoor, type PluginDoor } from "./plugins/plugin-door.ts"
import { fileVaults } from "./secrets/vaults.ts"
import { configuredAuth } from "./team/configured-auth.ts"
import type { Team } from "./team/open-team.ts"
import { providersOf, type SignInProvider } from "./team/provider-settings.ts"
import { readTeamSettings, type TeamSettings } from "./team/team-settings.ts"
import type { ServiceTelemetry } from "./telemetry/service-telemetry.ts"
import { sendNoWebPage } from "./web/loading-page.ts"
import { mountWebApp, requireWebBuild, type WebApp } from "./web/web-app.ts"
import { createAppOrigins } from "./workspaces/create-app-origins.ts"

export interface ServiceDeps {
  /** Opens what the runtime keeps. Without it, the runtime does so itself, and secrets of the service are in files. */
  openStore?(options: OpenStoreOptions): Promise<OpenedStore>
  openRuntime(options: OpenRuntimeOptions): Promise<OpenedRuntime>
  /** A progress message for the user. */
  report(phase: string): void
  /** Unexpected errors. */
  log(text: string, error: unknown): void
  /** Resolves when the web app is built. Left out when it is built already. */
  webBuilt?: Promise<void> | undefined
  /** The process that started this one, and that a person stops. Left out when this one was started by itself. */
  startedBy?: number
  /** Timers for slow request bodies, renewed certificates and a database that is away for too long. */
  timers?: Timers
  /** Tells others what the service does; without it, nobody is told. */
  telemetry?: ServiceTelemetry | undefined
}

export interface Service {
  /** Address for programs on this machine. */
  url: string
  /** Address for the users of a team; null when only this machine can connect. */
  publicUrl: string | null
  port: number
  /** Where a user starts: a one-time login link, or the login page of a team. */
  loginUrl: string
  /** A sentence that explains this link. */
  greeting: string
  tokenFile: string
  /** Resolves when pages are served; at once without the web app. */
  webReady: Promise<void>
  /** Resolves when everything for the first turn is loaded. */
  warm: Promise<void>
  /** Resolves with the reason when the service cannot continue and must be stopped. */
  failed: Promise<DocketError>
  /** Stops running turns, stores everything, and releases the port and the data directory. */
  stop(): Promise<void>
}

/**
 * Time limit for stopping (ms): a command that does not end must not block it. The next start recovers what was lost.
 */
const stopWithinMs = 8_000
/** After that, answers that have not been sent are cut off (ms). */
const sendWithinMs = 2_000
/** When to load what the first turn needs (ms): after the first answers, before a user has typed a prompt. */
const warmUpAfterMs = 500

/**
 * Starts Docket: data directory, store, runtime, HTTP. Resolves when it listens.
 * @throws data_directory_locked, port_in_use, unsafe_bind, store_unavailable, config_invalid, project_directory_missing
 */
export async function startService(options: ServiceOptions, deps: ServiceDeps): Promise<Service> {
  if (options.web && deps.webBuilt === undefined) requireWebBuild()
  deps.report(`data directory ${options.data}`)
  prepareDataDirectory(options.data)
  const lock = lockDataDirectory(options.data, deps.startedBy)
  try {
    requireWhole(options.data)
    const onError = (error: unknown) => deps.log("a background task failed", error)
    const { promise: failed, resolve: onTaken } = Promise.withResolvers<DocketError>()
    const { data, node } = options
    const storeOptions = { data, report: deps.report, onTaken, onError, timers: deps.timers, node }
    const store = (await deps.openStore?.(storeOptions)) ?? null
    const vault = (store?.vaults ?? fileVaults(data)).service
    let close = async () => store?.close()
    try {
      const settings = await findTeamSettings(options, vault)
      const reached = await openIngress(settings ? { ...options, publicUrl: settings.url } : options, deps)
      const local = await createLocalAuth(vault)
      copyToken(tokenFileIn(data), local.token)
      const pluginDoor = createPluginDoor({ isTeam: settings !== null })
      // From here on, the runtime closes what is open.
      close = async () => {}
      const opened = await deps.openRuntime({
        ...{ ...storeOptions, store, pluginDoor, config: options.config ?? [] },
        ...{ isTeam: settings !== null, ceiling: settings?.roots ?? null, trace: deps.telemetry?.trace },
        onLate: (text) => deps.report(`late: ${text}`),
      })
      close = () => opened.runtime.close()
      const team = settings && (await openAccounts(deps, { vault, settings, local, opened, reached }))
      return await serve(options, deps, { lock, local, team, opened, failed, reached, pluginDoor })
    } catch (error) {
      await deps.telemetry?.close()
      await close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Decides whether the service has accounts: by the environment, else by `team.json` and the user's own docket.json,
 * which must not contradict each other. @throws config_invalid when they do
 */
async function findTeamSettings({ data, config = [] }: ServiceOptions, vault: Vault): Promise<TeamSettings | null> {
  const given = { ...env, secrets: processEnv }
  const found = await readTeamSettings(vault, given)
  if (env.DOCKET_AUTH !== undefined) return found
  const own = await configuredAuth({ home: homedir(), env: processEnv, config })
  if (found !== null && own === "local") throw contradiction(data)
  return found ?? (own === "team" ? readTeamSettings(vault, { ...given, DOCKET_AUTH: "team" }) : null)
}

/** Refuses to start after a restore that was killed while it moved files, because the data is incomplete. */
function requireWhole(data: string): void {
  const phase = brokenRestore(data)
  if (phase === null) return
  const how = phase === "moving" ? "docket restore with the same file" : "docket restore --replace with the same file"
  throw new DocketError("store_unavailable", `a restore of ${data} was broken off. Run ${how}: it finishes it.`)
}

/** Without accounts, anyone at this machine could read all of a team's sessions, so a contradiction is an error. */
function contradiction(data: string): DocketError {
  const message = `your own docket.json says "auth": "local", and ${path.join(data, "team.json")} sets Docket up for a team. Take out one of them, or say with DOCKET_AUTH=team or DOCKET_AUTH=local which counts`
  return new DocketError("config_invalid", message)
}

/** Loads everything for accounts; never called by a service without a team. */
async function openAccounts(
  { log, report }: ServiceDeps,
  {
    vault,
    settings,
    local,
    opened,
    reached,
  }: Pick<Parts, "local" | "opened" | "reached"> & { vault: Vault; settings: TeamSettings },
): Promise<OpenedTeam> {
  if (opened.accounts === undefined || opened.audit === undefined)
    throw new DocketError("store_unavailable", "this store keeps no accounts")
  report(`accounts: a team at ${settings.url}`)
  const { openTeam } = await import("./team/open-team.ts")
  const team = await openTeam({
    vault,
    settings,
    tables: opened.accounts,
    auditLog: opened.audit,
    offboardingIn: async (workspace) => (await opened.workspaces.runtime(workspace))?.offboarding ?? null,
    opened: { runtimes: opened.workspaces, tenants: opened.tenants },
    ingress: reached.ingress,
    local,
    ...heldOverNodes(opened.overNodes),
    log,
  })
  return { ...team, url: settings.url, providers: providersOf(settings) }
}

/** Records what the only person of a service does, by the page or by its token. */
function auditWithoutAccounts({ audit: log }: OpenedRuntime, workspace: string): Audit | undefined {
  return log && createAudit({ log, nameOf: async () => null, clock: Date.now, links: { workspace } })
}

interface OpenedTeam extends Team {
  /** The address for users. */
  url: string
  /** Sign-in providers. */
  providers: SignInProvider[]
}

interface Parts {
  lock: DataLock
  local: LocalAuth
  /** Null for a service without accounts. */
  team: OpenedTeam | null
  opened: OpenedRuntime
  failed: Promise<DocketError>
  pluginDoor: PluginDoor
  /** How clients reach the service: its server, its addresses and the proxies in front of it. */
  reached: OpenedIngress
}

async function serve(options: ServiceOptions, deps: ServiceDeps, parts: Parts): Promise<Service> {
  const { lock, local, team, opened, failed, reached, pluginDoor } = parts
  const auth = pluginDoor.around(team?.auth ?? local)
  const { runtime, tenants, workspaces, warmUp } = opened
  let web: WebApp | null = null
  let isWebLoaded = !options.web
  let isStopping = false
  const { ingress, publicUrl } = reached
  const first = { id: tenants.local.id, runtime }
  // With a single workspace, no lookup is needed.
  const workspaceOf = async (secretHash: string) =>
    workspaces.list().length > 1 ? ((await opened.links?.tenantOf(secretHash)) ?? null) : first.id
  const links = createLinkReaders({ first, others: { workspaceOf, runtime: workspaces.runtime } })
  const { version } = packageJson
  const user = { person: localPerson, workspace: tenants.local.id }
  const { config } = runtime.as(user)
  const appOrigins = createAppOrigins({
    data: options.data,
    config: options.config ?? [],
    list: workspaces.list,
    first: { id: first.id, origins: async () => (await config.report({})).config.api?.origins ?? [] },
    clock: Date.now,
  })
  const api = createApi({
    ...{ workspaces, nodes: opened.nodes, links, auth, ingress, version, appOrigins, clock: Date.now },
    tenants: team === null ? tenants : { ...tenants, createToken: team.createToken },
    accounts: team?.face,
    audit: team?.audit ?? auditWithoutAccounts(opened, first.id),
    callLimit: team?.callLimit,
    streams: createStreamLimit(team?.streamLimits ?? usualStreamLimits),
    team: team?.service,
    createTryLimit: tryLimitOver(opened.overNodes),
    away: opened.away,
    process: { role: opened.overNodes?.role ?? "all", node: opened.overNodes?.id ?? null },
    notReady: () => notReady({ isStopping, isWebLoaded, isDraining: opened.overNodes?.isDraining() ?? false }),
    log: deps.log,
    report: deps.report,
  })
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    if ((await api(req, res)) === "answered") return
    if (web) await web.serve(req, res)
    else sendNoWebPage(res)
  }
  const server = reached.createServer((req, res) => {
    const answered = team === null ? answer(req, res) : team.inRequest(req, () => answer(req, res))
    answered.catch((error: unknown) => {
      deps.log("a page failed", error)
      res.destroy()
    })
  })
  limitRequests(server, deps.timers)
  const answers = watchAnswers(server)
  // The directory in which a team's service was started says nothing about its projects.
  const named = team !== null && options.byDefault ? { ...options, projects: [] } : options
  const projects = await openProjects(runtime.as(user), named, deps.report)
  const origin = await listen(server, options.host, options.port)
  const url = reached.listensOn(origin)
  lock.publish(url)
  pluginDoor.open(url)
  void deps.telemetry?.open({
    ...{ clock: opened.overNodes?.clock ?? Date.now, now: () => performance.now(), report: deps.report, version },
    ...{ instance: opened.overNodes?.id ?? randomUUID(), role: options.node?.role ?? "all" },
  })
  deps.report(`listening on ${origin}${publicUrl === null ? "" : `, for ${publicUrl}`}`)
  const loginCommand = docketCommand({ command: "login", data: options.data, path: processEnv.PATH })
  if (options.web)
    web = mountWebApp({
      built: deps.webBuilt ?? null,
      environment: { loginCommand, hasAccounts: team !== null, providers: team?.providers ?? [] },
      ingress,
      shares: createShareReader({ links, auth, ingress }),
      pages: createPageReader({ workspaces, auth, team: team?.service ?? null }),
      shared: opened.overNodes?.pageFiles ?? null,
      onError: (error) => deps.log("the files of pages could not be shared with other nodes", error),
    })
  const { sandbox } = runtime.as(user)
  const { promise: warm, resolve: onWarm } = Promise.withResolvers<void>()
  const warming = setTimeout(() => {
    onWarm(projects[0] && warmUp(projects[0].id))
    sandbox.state().then((state) => reportSandbox(state, deps.report), deps.log.bind(null, "the sandbox failed"))
  }, warmUpAfterMs)
  const webReady = web?.ready ?? Promise.resolve()
  webReady.then(
    () => {
      isWebLoaded = true
    },
    () => {},
  )
  const stop = async () => {
    isStopping = true
    clearTimeout(warming)
    team?.close()
    reached.close()
    await stopServing({ server, answers, runtime, web, telemetry: deps.telemetry })
    lock.release()
  }
  const tokenFile = tokenFileIn(options.data)
  const port = Number(new URL(origin).port)
  return {
    url,
    publicUrl,
    port,
    ...(await whereToStart(publicUrl ?? url, parts)),
    tokenFile,
    webReady,
    warm,
    failed,
    stop,
  }
}

interface Readiness {
  isStopping: boolean
  isWebLoaded: boolean
  isDraining: boolean
}

function notReady({ isStopping, isWebLoaded, isDraining }: Readiness): NotReady | null {
  if (isStopping) return { status: "stopping", message: "This process is being stopped." }
  if (isDraining) return { status: "draining", message: "This node takes no more work." }
  return isWebLoaded ? null : { status: "starting", message: "The pages are being loaded." }
}

/** The address where a user starts, and the sentence about it. */
async function whereToStart(url: string, { local, team }: Parts): Promise<Pick<Service, "loginUrl" | "greeting">> {
  if (team === null)
    return {
      loginUrl: loginUrl(url, await local.createLoginCode()),
      greeting: "Open this link to sign in (it works once, for 15 minutes)",
    }
  const ownerLink = await team.firstOwnerLink()
  return ownerLink === null
    ? { loginUrl: `${team.url}/login`, greeting: "People sign in here" }
    : {
        loginUrl: ownerLink,
        greeting: "Open this link to make the account of the first owner (it works once, for an hour)",
      }
}

/** Reported at every start, because nothing else shows that commands are not sandboxed. */
function reportSandbox({ state, reason, remedy }: SandboxState, report: ServiceDeps["report"]): void {
  if (state !== "on") report(["sandbox", `${state}:`, reason, remedy].filter(Boolean).join(" "))
}

interface Serving {
  server: Server
  answers: OpenAnswers
  runtime: Runtime
  web: WebApp | null
  telemetry: ServiceTelemetry | undefined
}

/** Streams stay open until the runtime has stopped, so that readers receive the last events. */
async function stopServing({ server, answers, runtime, web, telemetry }: Serving): Promise<void> {
  const closed = once(server, "close")
  answers.stopListening()
  await Promise.race([runtime.close(), sleep(stopWithinMs, undefined, { ref: false })])
  // Both have time limits of their own.
  await Promise.all([answers.sent(sendWithinMs), telemetry?.close()])
  server.closeAllConnections()
  await closed
  await web?.close()
}

import type { IncomingMessage } from "node:http"
import {
  type AccountFace,
  type Audit,
  type Auth,
  type CallLimit,
  createAudit,
  type Ingress,
  type StreamLimits,
  type TeamService,
} from "@docket/api"
import type { AuditLog, InOrder, Offboarding, Tenants } from "@docket/core"
import { tokenPerson } from "@docket/core/schema"
import type { Vault } from "@docket/core/vault"
import type { AccountTables } from "@docket/db"
import { keptSecret } from "../auth/kept-secret.ts"
import type { WorkspaceRuntimes } from "../workspaces/create-workspace-runtimes.ts"
import { createAccountAudit, viaOf } from "./account-audit.ts"
import { createAccountRoutes } from "./account-routes.ts"
import { createAccountWays } from "./account-ways.ts"
import { createArrivals } from "./arrivals.ts"
import { auditedAccounts } from "./audited-accounts.ts"
import { auditedMemberships, auditedPeople } from "./audited-people.ts"
import { createAccounts } from "./create-accounts.ts"
import { createCallLimit } from "./create-call-limit.ts"
import { createTeamAuth } from "./create-team-auth.ts"
import { createTeamService } from "./create-team-service.ts"
import { createTeamWorkspaces } from "./create-team-workspaces.ts"
import { inRequest, requestSource } from "./current-request.ts"
import { createFirstOwner, firstWorkspace } from "./first-owner.ts"
import { createIdentifyKey } from "./identify-key.ts"
import { createIdentityCache } from "./identity-cache.ts"
import { createInvitations } from "./invitations.ts"
import { createKeepingOperator } from "./last-operator.ts"
import { createLinkLimit } from "./link-limit.ts"
import { createMembers, type MembersDeps } from "./members.ts"
import { createMemberships } from "./memberships.ts"
import { createOneTimeLinks } from "./one-time-links.ts"
import { createOpenStreams } from "./open-streams.ts"
import { createOrganizations } from "./organizations.ts"
import { createPeople } from "./people.ts"
import { createProgramKeys } from "./program-keys.ts"
import { createProgramTokens } from "./program-tokens.ts"
import { createProviderSignIn } from "./provider-sign-in.ts"
import { createResetLinks } from "./reset-links.ts"
import { createWithRights } from "./rights-now.ts"
import { createSendMail } from "./send-mail.ts"
import { createSignInLimit } from "./sign-in-limit.ts"
import { createSignIns } from "./sign-ins.ts"
import type { TeamSettings } from "./team-settings.ts"
import type { CreateTryCounter } from "./try-counter.ts"
import { createUsedCodes } from "./used-codes.ts"

export interface OpenTeamOptions {
  /** Keeps the secret for sign-ins. */
  vault: Vault
  settings: TeamSettings
  tables: AccountTables
  auditLog: AuditLog
  /** Offboarding for a workspace; null when it does not exist. */
  offboardingIn(workspace: string): Promise<Offboarding | null>
  /** The workspaces of the team. */
  opened: { runtimes: WorkspaceRuntimes; tenants: Tenants }
  /** Accepts the service's own token. */
  local: Auth
  ingress: Ingress
  clock(): number
  /** Does work of one key one after the other, over all processes on the database. */
  inOrder: InOrder
  /** Makes counters that hold over all processes on the database. */
  createCounter: CreateTryCounter
  log(text: string, error: unknown): void
}

export interface Team {
  auth: Auth
  service: TeamService
  audit: Audit
  face: AccountFace
  callLimit: CallLimit
  streamLimits: StreamLimits
  /** Creates a token of a tenant, if its creator is still a member. */
  createToken: Tenants["createToken"]
  /** A link for the first owner; null when there is an owner. */
  firstOwnerLink(): Promise<string | null>
  /** Answers a request, so that audit entries written meanwhile get its source. */
  inRequest<T>(req: IncomingMessage, answer: () => T): T
  close(): void
}

/**
 * Everything about accounts. A service in local mode never loads this file. @throws config_invalid, store_unavailable
 */
export async function openTeam(options: OpenTeamOptions): Promise<Team> {
  const { vault, settings, tables, auditLog, offboardingIn, opened, local, ingress, log } = options
  const { clock, inOrder, createCounter } = options
  const secret = await keptSecret(vault, "team-secret")
  const arrivals = createArrivals(clock)
  const accounts = createAccounts({ tables, settings, secret, log, beginsIn: arrivals.of })
  const context = await accounts.$context
  const cache = createIdentityCache(clock)
  const plainMemberships = createMemberships(context.adapter)
  const plainPeople = createPeople(context)
  const audit = createAccountAudit({
    ...{ log: auditLog, memberships: plainMemberships, people: plainPeople, clock },
    firstWorkspace,
  })
  const memberships = auditedMemberships(plainMemberships, audit)
  const people = auditedPeople(plainPeople, audit)
  const nameOf = async (id: string) => (await people.byIDs([id])).get(id)?.name ?? null
  const oneTimeLinks = createOneTimeLinks(context, { inOrder, clock })
  const changed = () => {
    cache.clear()
    streams.look()
  }
  const links = createResetLinks({ links: oneTimeLinks, people, memberships, inOrder })
  const withRights = createWithRights({ memberships, inOrder })
  const { perKey } = settings.limits
  const keys = createProgramKeys({ accounts, context, people, memberships, withRights, perKey, changed })
  const tokens = createProgramTokens({ tenants: opened.tenants, memberships, inOrder })
  const offboard = async ({ workspace, person, tokens: ended }: Parameters<MembersDeps["onDemoted"]>[0]) => {
    try {
      const left = await (await offboardingIn(workspace))?.offboard(person, ended.map(tokenPerson))
      return left === undefined ? null : { ...left, tokens: ended.length }
    } catch (error) {
      // The call succeeds even so: the person's rights are already reduced.
      log("what somebody left behind could not be put away", error)
      return null
    }
  }
  const onDemoted: MembersDeps["onDemoted"] = async (demoted) => {
    const left = await offboard(demoted)
    if (left === null) return null
    const { hidden: _, ...rest } = left
    return rest
  }
  const onRemoved: MembersDeps["onRemoved"] = async (gone) => {
    const ended = { keys: await keys.removeOf(gone.workspace, gone.person) }
    const left = await offboard(gone)
    return left && { ...left, ...ended }
  }
  const keepingOperator = createKeepingOperator({ people, memberships, inOrder })
  const members = createMembers({
    ...{ people, memberships, links, tokens, inOrder, keepingOperator, changed, onDemoted, onRemoved },
  })
  const { joined } = arrivals
  const invitations = createInvitations({ context, people, memberships, links, inOrder, joined, clock })
  const organizations = createOrganizations(context.adapter, clock)
  const firstOwner = createFirstOwner({
    ...{ organizations, people, memberships, links: oneTimeLinks, inOrder, url: settings.url, clock },
  })
  const identifyKey = createIdentifyKey({ accounts, memberships, people })
  const auth = await createTeamAuth({ accounts, memberships, cache, identifyKey, local, clock })
  const streams = createOpenStreams(auth, log)
  const usedCodes = createUsedCodes(context.internalAdapter, { inOrder, clock })
  const providers = createProviderSignIn({ tables, settings, secret, log, beginsIn: arrivals.of, invitations, people })
  const ways = createAccountWays({ context, settings, inOrder })
  const limit = createSignInLimit(settings.limits.signIn, createCounter)
  const goTo = (signIn: string, workspace: string) =>
    context.adapter.update({
      model: "session",
      where: [{ field: "id", value: signIn }],
      update: { activeOrganizationId: workspace },
    })
  const parts = {
    auth,
    accounts,
    firstOwner,
    invitations,
    people,
    resetLinks: links,
    cache,
    settings,
    usedCodes,
    providers,
    ways,
    goTo,
  }
  const sendMail = settings.smtp ? await createSendMail(settings.smtp, log) : null
  const signIns = createSignIns(context, changed)
  const { url } = settings
  const { addressOf } = ingress
  const onWrongPassword = (req: IncomingMessage, email: string) =>
    audit.failed(email, { call: `${req.method} ${req.url?.split("?")[0]}`, address: addressOf(req), via: viaOf(req) })
  const face = createAccountRoutes({ parts, limit, streams, addressOf, log, onWrongPassword })
  const workspaces = createTeamWorkspaces({
    ...{ context, organizations, people, links, memberships, inOrder, keepingOperator, clock, changed },
    ...opened,
    rootsSet: (by, workspace, roots) =>
      audit.did(
        by.caller.person,
        {
          ...requestSource(),
          act: "workspace.changed",
          call: "workspace.setRoots",
          facts: { roots: roots.join(", ") },
          name: by.name,
        },
        workspace,
      ),
    inviteOwner: (by, id, email) =>
      service.invite(
        // The operator does not belong to the new workspace, so they act like the service's own token.
        { ...by, caller: { ...by.caller, workspace: id }, role: "owner", via: "token" },
        { email, role: "owner" },
      ),
  })
  const service: TeamService = createTeamService({
    ...{ workspaces, offboardingIn, members, memberships, invitations, keys, signIns, people, sendMail, url },
    resetLinks: links,
    linkLimit: createLinkLimit(settings.limits.links, createCounter),
    tokens,
  })
  return {
    auth,
    service,
    audit: createAudit({ log: auditLog, nameOf, clock }),
    callLimit: createCallLimit(settings.limits),
    streamLimits: settings.limits.streams,
    createToken: tokens.create,
    face: auditedAccounts({ face, auth, audit, addressOf }),
    firstOwnerLink: firstOwner.link,
    inRequest: (req, answer) => inRequest(req, addressOf(req), answer),
    close: streams.close,
  }
}

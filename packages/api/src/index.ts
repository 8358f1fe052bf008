export type { Capability } from "@docket/core/operations"
export { may, requireAccess } from "./access/may.ts"
export type { Me } from "./access/me.ts"
export type { RoleLabels } from "./access/role-labels.ts"
export { type Audit, createAudit } from "./audit/audit.ts"
export type { Auth } from "./auth/auth.ts"
export { bearerToken, type Credentials, loginCookie } from "./auth/credentials.ts"
export type { Identity } from "./auth/identity.ts"
export { type ApiDeps, type ApiOutcome, createApi, type NotReady } from "./create-api.ts"
export type { CallLimit } from "./http/call-limit.ts"
export { encode } from "./http/encoding.ts"
export { type Ingress, loopbackIngress } from "./http/ingress.ts"
export { loginUrl } from "./http/login-routes.ts"
export { readBody } from "./http/read-body.ts"
export { readJson } from "./http/read-json.ts"
export type { Refusal } from "./http/refusal.ts"
export { sendError, sendJson, sendRefusal, setSafeHeaders, wantedEncoding } from "./http/respond.ts"
export { createStreamLimit, type StreamLimits, usualStreamLimits } from "./http/stream-limit.ts"
export { refuseUnknownKeys } from "./input/unknown-keys.ts"
export { createPageReader, type PageOwner, type PageReader, type PageReads } from "./page/page-reader.ts"
export { createLinkReaders } from "./public/link-reader.ts"
export type { ShareVisitor } from "./public/open-share.ts"
export { createShareReader, type ShareReader } from "./public/share-reader.ts"
export type { ShareSummary } from "./public/share-summary.ts"
export type { SharedTree } from "./public/shared-tree.ts"
export type { CreateTryLimit } from "./public/try-limit.ts"
export { type AppRouter, appRouter } from "./router.ts"
export type { AccountFace } from "./team/account-face.ts"
export type {
  Demoted,
  FormerMember,
  Invitation,
  MadeLink,
  Member,
  NewKey,
  ProgramKey,
  ProgramToken,
  Removed,
  SignIn,
  TeamService,
} from "./team/team-service.ts"
export type {
  ListedWorkspace,
  MadeWorkspace,
  NewWorkspace,
  Operator,
  OwnWorkspace,
  TeamWorkspaces,
} from "./team/team-workspaces.ts"
export type { Workspaces } from "./workspaces.ts"

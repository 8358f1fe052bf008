/** What the pages of the web app are handed by the service that serves them, and know of whoever reads them. */
export type {
  Capability,
  Invitation,
  MadeLink,
  Me,
  Member,
  PageOwner,
  PageReader,
  PageReads,
  ProgramKey,
  ProgramToken,
  RoleLabels,
  SharedTree,
  ShareReader,
  ShareSummary,
  ShareVisitor,
  SignIn,
} from "@docket/api"

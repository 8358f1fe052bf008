/** What the pages of the web app are handed by the service that serves them. */
export type {
  Capability,
  Invitation,
  MadeLink,
  Member,
  PageReader,
  ProgramKey,
  RoleWords,
  SharedTree,
  ShareReader,
  ShareSummary,
  ShareVisitor,
  SignIn,
} from "@docket/api"

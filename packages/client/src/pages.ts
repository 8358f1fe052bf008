/** What the service hands to the pages of the web app, and what they know of their reader. */
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

/** Types of the data that the service passes to the pages of the web app, including those about the current user. */
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

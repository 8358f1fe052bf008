/** What the pages of the web app are handed by the service that serves them. */
export type { Capability, PageReader, SharedTree, ShareReader, ShareSummary, ShareVisitor } from "@docket/api"

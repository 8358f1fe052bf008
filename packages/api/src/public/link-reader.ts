import type { Tenants } from "@docket/core"
import type { Caller } from "@docket/core/schema"

/** Stands for whoever has a share link: they read and cause nothing. */
export function linkReader({ local }: Tenants): Caller {
  return { person: "a link's reader", workspace: local.id }
}

import type { ListedGrant } from "@docket/core"
import { expect, test } from "vitest"
import { grantLines } from "./grants.ts"

const grant: ListedGrant = {
  id: "grt_1",
  scope: "project",
  permission: "bash",
  patterns: ["git push *", "git tag *"],
  project: { id: "prj_1", name: "demo" },
  origin: { sessionID: "ses_1", rootID: "ses_1", title: "Release it", agent: "build", requestID: "per_1" },
  by: { person: "ann", workspace: "local" },
  created: Date.UTC(2026, 10, 23),
}

test("permanent permissions are listed with scope, person and session", () => {
  const everywhere: ListedGrant = { ...grant, id: "grt_2", scope: "everywhere", project: null, by: null }
  const gone: ListedGrant = { ...grant, id: "grt_3", origin: { ...grant.origin, sessionID: null, rootID: null } }
  const lines = grantLines({ grants: [grant, everywhere, gone], more: true })
  expect(lines).toEqual([
    expect.stringMatching(/^id +where +what +by +asked in$/),
    expect.stringMatching(/^grt_1 +project demo +bash git push \* git tag \* +ann 2026-11-23 +ses_1 "Release it"$/),
    expect.stringMatching(/^grt_2 +every project .*someone 2026-11-23/),
    expect.stringMatching(/"Release it", which is gone$/),
    "older ones are not listed; revoke some of these to see them",
  ])
  expect(grantLines({ grants: [], more: false })).toEqual(["nothing is always allowed"])
})

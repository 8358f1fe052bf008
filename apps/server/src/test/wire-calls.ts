/** A call of a plain route, in the order in which the recorded calls are sent. */
export interface WireCall {
  method: string
  path: string
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown
  /** The caller; by default the service's token. */
  as?: "robot" | "nobody"
  headers?: Record<string, string>
}

const json = { "content-type": "application/json" }

/** Ids in the calls, which exist when the calls are sent. */
export interface WireNames {
  session: string
  secret: string
}

/** Every plain route with every method, with input that is right, wrong or missing. */
export function wireCalls({ session, secret }: WireNames): WireCall[] {
  return [...todoCalls(session), ...memoryCalls(session), ...scheduleCalls(session), ...plainCalls(session, secret)]
}

function todoCalls(session: string): WireCall[] {
  const [list, one] = ["/v1/todos", "/v1/todos/1"]
  return [
    { method: "POST", path: list, body: { subject: "first", description: "two\nlines", agent_id: "ops" } },
    { method: "POST", path: list, body: { subject: "second", conversation_id: session, status: "canceled" } },
    { method: "POST", path: list, body: { subject: "third", completed_at: 77, status: "completed" } },
    { method: "POST", path: list, body: { subject: "fourth", position: 9 }, as: "robot" },
    ...wrongBodies.map((body) => ({ method: "POST", path: list, body })),
    ...[{ subject: 7 }, { subject: "x", status: "cancelled" }, { subject: "x", conversation_id: 12 }].map((body) => ({
      method: "POST",
      path: list,
      body,
    })),
    { method: "POST", path: list, body: '{"subject":"typed"}', headers: { "content-type": "text/plain" } },
    ...["", "?limit=1", "?limit=x", "?limit=501", "?status=pending", "?status=open", "?status=", "?agent_id=ops"].map(
      (query) => ({ method: "GET", path: list + query }),
    ),
    ...["0", "", "tenant", "unscoped", session, "5", "x"].map((id) => ({
      method: "GET",
      path: `${list}?conversation_id=${id}`,
    })),
    { method: "PATCH", path: list, body: [] },
    { method: "PATCH", path: list, body: [{ id: 1, position: 4 }, { id: 999 }, { subject: "x" }, 7] },
    {
      method: "PATCH",
      path: list,
      body: {
        todos: [
          { id: 1, subject: "renamed" },
          { id: 1, status: "open" },
        ],
      },
    },
    { method: "PATCH", path: list, body: { todos: "x" } },
    { method: "PATCH", path: list, body: Array.from({ length: 501 }, () => ({ id: 1 })) },
    { method: "PATCH", path: list, body: "{" },
    ...itemCalls(one, { subject: "again", completed_at: 0 }),
  ]
}

function memoryCalls(session: string): WireCall[] {
  const [list, one] = ["/v1/memory/entries", "/v1/memory/entries/1"]
  const fact = { type: "reference", title: "Report", content: "See it.", source: "agent", tags: ["ops"] }
  return [
    { method: "POST", path: list, body: fact },
    { method: "POST", path: list, body: { type: "user", title: "Pinned", conversation_id: session } },
    ...wrongBodies.map((body) => ({ method: "POST", path: list, body })),
    ...[{ type: "user" }, { type: "user", title: " " }, { ...fact, tags: Array(33).fill("t") }].map((body) => ({
      method: "POST",
      path: list,
      body,
    })),
    ...["", "?q=report", `?q=${"x".repeat(1_001)}`, "?type=user,reference", "?type=x", "?tag=ops", "?limit=0"].map(
      (query) => ({ method: "GET", path: list + query }),
    ),
    ...[`?conversation_id=${session}`, "?conversation_id=7", "?as_of=1", "?since=1", "?before_updated_at=1"].map(
      (query) => ({ method: "GET", path: list + query }),
    ),
    ...itemCalls(one, { title: "Renamed" }),
    { method: "GET", path: `${list}/2/invalidate` },
    { method: "POST", path: `${list}/2/invalidate` },
    { method: "POST", path: `${list}/2/invalidate` },
    { method: "POST", path: `${list}/x/invalidate` },
    { method: "POST", path: `${list}/2/other` },
    { method: "GET", path: `${list}/2` },
    { method: "GET", path: "/v1/memory" },
    { method: "GET", path: "/v1/memory/others" },
  ]
}

function scheduleCalls(session: string): WireCall[] {
  const [list, one] = ["/v1/schedules", "/v1/schedules/1"]
  return [
    { method: "POST", path: list, body: { schedule: "weekly", message: "summarise" } },
    { method: "POST", path: list, body: { schedule: "hourly", message: "x", conversation_id: session, agent: "plan" } },
    ...wrongBodies.map((body) => ({ method: "POST", path: list, body })),
    ...[{ message: "x" }, { schedule: "soon", message: "x" }, { schedule: "hourly", message: "x", agent: "no" }].map(
      (body) => ({ method: "POST", path: list, body }),
    ),
    { method: "POST", path: list, body: { schedule: "hourly", message: "x" }, as: "robot" },
    ...["", "?status=active", "?status=x"].map((query) => ({ method: "GET", path: list + query })),
    { method: "GET", path: list, as: "robot" },
    { method: "GET", path: one, as: "robot" },
    { method: "GET", path: `${one}/runs` },
    { method: "POST", path: `${one}/runs` },
    { method: "GET", path: `${one}/other` },
    { method: "PATCH", path: one, body: { status: "asleep" } },
    { method: "PATCH", path: "/v1/schedules/999", body: { status: "asleep" } },
    ...itemCalls(one, { status: "paused" }),
    ...["", "?since=1", "?task_id=2", "?task_id=x", "/run_x", "/x/y"].map((rest) => ({
      method: "GET",
      path: `/v1/runs${rest}`,
    })),
    { method: "POST", path: "/v1/runs" },
    { method: "GET", path: "/v1/runs", as: "robot" },
  ]
}

function plainCalls(session: string, secret: string): WireCall[] {
  const share = `/api/share/${secret}`
  const login = (body: unknown) => ({ method: "POST", path: "/api/login", body, headers: json, as: "nobody" }) as const
  return [
    { method: "GET", path: "/v1/openapi.json", as: "nobody" },
    { method: "GET", path: "/v1/openapi-3.0.json", as: "nobody" },
    { method: "POST", path: "/v1/openapi-3.0.json", as: "nobody" },
    { method: "GET", path: "/v1/projects" },
    { method: "GET", path: "/v1/projects", as: "robot" },
    { method: "GET", path: `/v1/sessions/${session}` },
    { method: "GET", path: `/v1/sessions/${session}`, as: "robot" },
    { method: "GET", path: `/v1/sessions/${session}`, as: "robot", headers: { accept: "application/problem+json" } },
    { method: "GET", path: "/v1/sessions", as: "robot" },
    { method: "POST", path: "/v1/sessions", body: { projectID: "x" } },
    { method: "GET", path: `/v1/sessions/${session}/events?after=999` },
    { method: "GET", path: "/v1/permissions" },
    { method: "GET", path: "/v1/nothing", headers: { accept: "application/problem+json" } },
    { method: "HEAD", path: "/v1/openapi.json", as: "nobody" },
    { method: "POST", path: "/v1/openapi.json", as: "nobody" },
    ...["/v1/todos", "/v1/nothing", "/v1/", "/v1/todos/x/y/z"].flatMap((path): WireCall[] => [
      { method: "GET", path },
      { method: "GET", path, as: "nobody" },
    ]),
    { method: "GET", path: "/api/health", as: "nobody" },
    { method: "HEAD", path: "/api/health", as: "nobody" },
    { method: "POST", path: "/api/health", as: "nobody", headers: json },
    { method: "PUT", path: "/api/health", as: "nobody" },
    ...["{", "", {}, { code: "wrong" }].map(login),
    { method: "GET", path: "/api/login" },
    { method: "POST", path: "/api/login-code", headers: json },
    { method: "POST", path: "/api/login-code", as: "nobody", headers: json },
    { method: "POST", path: "/api/login-code" },
    { method: "POST", path: "/api/logout", headers: json },
    { method: "POST", path: "/api/tokens", body: { tenant: "acme", name: "ci" }, headers: json },
    { method: "POST", path: "/api/tokens", body: { tenant: "No Such", name: "x" }, headers: json },
    { method: "POST", path: "/api/tokens", body: { tenant: "acme" }, headers: json },
    { method: "GET", path: "/api/tokens?tenant=acme" },
    { method: "POST", path: "/api/tokens/revoke", body: { id: "nope" }, headers: json },
    { method: "GET", path: "/api/tokens/other" },
    { method: "GET", path: "/api/tenants" },
    { method: "POST", path: "/api/tenants/remove", body: { tenant: "acme" }, headers: json },
    { method: "POST", path: "/api/tenants/remove", body: { tenant: "acme" }, headers: json },
    { method: "POST", path: "/api/tenants/remove", body: { tenant: "local" }, headers: json },
    { method: "GET", path: "/api/nothing" },
    { method: "GET", path: "/api" },
    { method: "GET", path: `/session/${session}/todo` },
    { method: "HEAD", path: `/session/${session}/todo` },
    { method: "POST", path: `/session/${session}/todo`, headers: json },
    { method: "GET", path: `/session/${session}/todo`, as: "nobody" },
    { method: "GET", path: `/session/ses_${"0".repeat(26)}/todo` },
    ...[share, `${share}/session/${session}?limit=3`, `${share}/session/${session}?limit=0`, `${share}/events`].map(
      (path): WireCall => ({ method: "GET", path, as: "nobody" }),
    ),
    ...["", "/", "/x", "/session", "/events/x", `/session/${session}/x`, `/session/ses_${"0".repeat(26)}`].map(
      (rest): WireCall => ({ method: "GET", path: share + (rest || "x"), as: "nobody" }),
    ),
    { method: "GET", path: "/api/share/", as: "nobody" },
    { method: "POST", path: share, as: "nobody", headers: json },
    { method: "GET", path: "/v1/todos", headers: { "sec-fetch-site": "cross-site" } },
    { method: "GET", path: "/v1/todos", headers: { host: "evil.example" } },
  ]
}

const wrongBodies = ["{", "", "[]", "7", {}]

/** Valid and invalid operations on one item; it is removed at the end. */
function itemCalls(path: string, patch: object): WireCall[] {
  const others = ["0", "x", "999", "1.5", "9".repeat(40)].map((id) => path.replace(/1$/, id))
  return [
    { method: "GET", path },
    { method: "HEAD", path },
    { method: "PATCH", path, body: patch },
    ...wrongBodies.map((body) => ({ method: "PATCH", path, body })),
    ...others.flatMap((other): WireCall[] => [
      { method: "GET", path: other },
      { method: "PATCH", path: other, body: patch },
      { method: "DELETE", path: other },
      { method: "PUT", path: other },
    ]),
    ...["PUT", "POST", "OPTIONS"].map((method) => ({ method, path })),
    { method: "PUT", path: path.replace(/\/1$/, "") },
    { method: "GET", path: `${path}/x/y` },
    { method: "GET", path, as: "nobody" },
    { method: "GET", path, as: "robot" },
    { method: "DELETE", path },
    { method: "DELETE", path },
  ]
}

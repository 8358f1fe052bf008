/** A call of a procedure that takes no id of a tenant's. */
export interface RouteWithoutId {
  /** Of the procedure. */
  name: string
  input: unknown
}

/** Procedures that take no id, with an input each: right where it does no harm, of an unknown name where it would. */
export function routesWithoutID(directory: string): RouteWithoutId[] {
  const provider = { providerID: "nobody" }
  return Object.entries({
    "agent.draft": { name: "a", origin: "docket", text: "Words." },
    "audit.acts": undefined,
    "audit.list": {},
    "config.revokeDirectory": { directory: "/nowhere" },
    "config.trusted": undefined,
    "me.get": undefined,
    "me.roles": undefined,
    "permission.grants": undefined,
    "project.directories": { path: directory },
    "project.list": undefined,
    "project.open": { directory },
    "provider.installPackage": { name: "../nothing", version: "0.0.0", integrity: "none" },
    "provider.lookUpPackage": { spec: "../nothing" },
    "provider.packages": undefined,
    "provider.refresh": undefined,
    "provider.removeKey": provider,
    "provider.removePackage": { name: "nothing", version: "0.0.0" },
    "provider.saveKey": { ...provider, key: "a-key" },
    "review.awaiting": undefined,
    "review.inbox": {},
    "sandbox.limits": undefined,
    "sandbox.state": undefined,
    "schedule.preview": { when: "in 500 weeks" },
    "search.find": { text: "secret" },
    "team.cancelInvitation": { invitation: "nothing" },
    "team.createKey": { name: "a", role: "viewer" },
    "team.endOtherSignIns": undefined,
    "team.endSignIn": { signIn: "nothing" },
    "team.former": undefined,
    "team.invitations": undefined,
    "team.invite": { email: "nobody@example.org", role: "viewer" },
    "team.keys": undefined,
    "team.leave": undefined,
    "team.members": undefined,
    "team.openSessions": { person: "nobody" },
    "team.remove": { person: "nobody" },
    "team.resetLink": { person: "nobody" },
    "team.revokeKey": { key: "nothing" },
    "team.revokeToken": { token: "nothing" },
    "team.setRole": { person: "nobody", role: "viewer" },
    "team.signIns": undefined,
    "team.tokens": undefined,
    "todo.proposed": undefined,
    "webhook.create": { name: "a", url: "nowhere", events: ["session.idle"] },
    "webhook.list": undefined,
    "workspace.all": undefined,
    "workspace.create": { name: "A workspace" },
    "workspace.get": undefined,
    "workspace.list": undefined,
    "workspace.operators": undefined,
    "workspace.remove": { name: "nothing" },
    "workspace.removeAny": { workspace: "nothing", name: "nothing" },
    "workspace.rename": { name: "A workspace" },
    "workspace.setOperator": { email: "nobody@example.org", isOperator: false },
    "workspace.switch": { workspace: "nothing" },
    "workspace.update": {},
  }).map(([name, input]) => ({ name, input }))
}

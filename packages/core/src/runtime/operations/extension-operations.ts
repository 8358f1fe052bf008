import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { ExtensionRef, ListedExtension, ProjectID, SignInChoice } from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { MaybeProjectInput, ProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { invalid } from "./refusals.ts"

const missing = { 404: "there is no such project, or it is another tenant's" } as const
const name = { kind: ExtensionRef.shape.kind, name: ExtensionRef.shape.name }
const Named = ProjectInput.extend(name)
/** Without a project, one of the user's own. */
const MaybeNamed = MaybeProjectInput.extend(name)
const SignInInput = MaybeNamed.extend({
  method: z.enum(["browser", "device"]).default("browser"),
  /** For an extension that offers several ways. */
  choice: SignInChoice.optional(),
})
const NamedBody = z.strictObject({
  project: ProjectID,
  kind: ExtensionRef.shape.kind,
  name: ExtensionRef.shape.name,
})

export const extensionOperations = {
  /**
   * The servers, plugins and hooks of a project, those of the user too: what they may do, and what they did lately. Without
   * a project, those of the user alone.
   */
  list: query({
    capability: "settings.read",
    input: MaybeProjectInput,
    run: ({ extension }, { projectID }) => extension.list(projectID),
    rest: {
      method: "get",
      path: "/extensions",
      operationID: "listExtensions",
      summary: "The servers, plugins and hooks of a project: what they may do, and what they did lately.",
      query: { project: { type: "string", description: "a project id" } },
      status: 200,
      answer: { description: "the extensions", schema: z.object({ extensions: z.array(ListedExtension) }) },
      refusals: { 400: "no project is named", ...missing },
      read({ query: { project } }) {
        const id = ProjectID.safeParse(project)
        if (!id.success) throw new DocketError("invalid_input", "name a project: ?project=prj_…")
        return { projectID: id.data }
      },
      write: (extensions) => ({ extensions }),
    },
  }),

  /**
   * What may come next in a prompt that is being typed: after `@`, what extensions keep for reading; after `/` and a command
   * of theirs, values of its arguments. Null where no extension knows. `text` is the word or the command, up to the caret.
   */
  complete: query({
    capability: "prompt",
    input: ProjectInput.extend({ text: z.string().max(4_000) }),
    run: ({ extension }, { projectID, text }, { asker }) => extension.complete(projectID, text, asker.signal),
  }),

  /** Switches an extension on or off. What the user configured is switched for all projects. */
  switch: mutation({
    capability: "settings.manage",
    audit: records("extension.switched", { targets: ["name"], facts: ["kind", "state"] }),
    input: Named.extend({ state: z.enum(["on", "off"]) }),
    run: ({ extension }, { projectID, state, ...named }) => extension.switch(projectID, named, state),
    rest: {
      method: "post",
      path: "/extensions/switch",
      operationID: "switchExtension",
      summary: "Switches an extension on or off.",
      body: NamedBody.extend({ state: z.enum(["on", "off"]) }),
      status: 200,
      answer: { description: "it is switched", schema: z.object({ state: z.enum(["on", "off"]) }) },
      refusals: { ...invalid, ...missing },
      read: ({ body: { project, ...named } }) => ({ projectID: project, ...named }),
      write: (state) => ({ state }),
    },
  }),

  /**
   * Uninstalls an extension of the user's own: its entry goes from the user's docket.json. What stands elsewhere is refused,
   * with what to do instead (`removal` of the list).
   */
  uninstall: mutation({
    capability: "settings.manage",
    audit: records("extension.uninstalled", { targets: ["name"], facts: ["kind"] }),
    input: MaybeNamed,
    run: ({ extension }, { projectID, ...named }) => extension.uninstall(projectID, named),
    rest: {
      method: "post",
      path: "/extensions/uninstall",
      operationID: "uninstallExtension",
      summary: "Takes an extension of the user's own out of the user's docket.json.",
      body: NamedBody,
      status: 200,
      answer: { description: "it is uninstalled", schema: z.object({ uninstalled: z.literal(true) }) },
      refusals: { ...invalid, ...missing },
      read: ({ body: { project, ...named } }) => ({ projectID: project, ...named }),
      write: () => ({ uninstalled: true }),
    },
  }),

  /**
   * Begins the caller's own sign-in to a server, in a browser or on another device, or that of a plugin to a provider; null
   * when nothing more is needed. In a team a server whose sign-in all share needs `signInForAll`.
   */
  signIn: mutation({
    capability: "prompt",
    audit: records("extension.signed", { targets: ["name"], facts: ["kind", "method"] }),
    input: SignInInput,
    run: ({ extension }, { projectID, method, choice, ...named }) =>
      extension.signIn(projectID, named, { method, forAll: false, choice }),
  }),

  /** The same for everybody who works with the server. */
  signInForAll: mutation({
    capability: "settings.manage",
    audit: records("extension.signed", { targets: ["name"], facts: ["kind", "method"] }),
    input: SignInInput,
    run: ({ extension }, { projectID, method, choice, ...named }) =>
      extension.signIn(projectID, named, { method, forAll: true, choice }),
  }),

  /** Ends a sign-in with the address to which the browser was sent, or with the code that the person was given. */
  finishSignIn: mutation({
    capability: "prompt",
    audit: notRecorded("the sign-in is recorded when it begins"),
    input: MaybeNamed.extend({ address: z.string().min(1).max(20_000) }),
    run: ({ extension }, { projectID, address, ...named }) => extension.finishSignIn(projectID, named, address),
  }),

  /** Forgets the caller's sign-in to a server, or that of a plugin. */
  signOut: mutation({
    capability: "prompt",
    audit: records("extension.signed", { targets: ["name"], facts: ["kind"] }),
    input: MaybeNamed,
    run: ({ extension }, { projectID, ...named }) => extension.signOut(projectID, named, { forAll: false }),
  }),

  /** Forgets the sign-in that all share. */
  signOutForAll: mutation({
    capability: "settings.manage",
    audit: records("extension.signed", { targets: ["name"], facts: ["kind"] }),
    input: MaybeNamed,
    run: ({ extension }, { projectID, ...named }) => extension.signOut(projectID, named, { forAll: true }),
  }),

  /** Ends what runs of an extension in a project; it starts again when it is needed. */
  restart: mutation({
    capability: "settings.manage",
    audit: records("extension.restarted", { targets: ["name"], facts: ["kind"] }),
    input: Named,
    run: ({ extension }, { projectID, ...named }) => extension.restart(projectID, named),
    rest: {
      method: "post",
      path: "/extensions/restart",
      operationID: "restartExtension",
      summary: "Ends what runs of an extension; it starts again when it is needed.",
      body: NamedBody,
      status: 200,
      answer: { description: "it is ended", schema: z.object({ ended: z.literal(true) }) },
      refusals: { ...invalid, ...missing },
      read: ({ body: { project, ...named } }) => ({ projectID: project, ...named }),
      write: () => ({ ended: true }),
    },
  }),

  /** Starts an extension now, whatever it failed of before, and says what came of it. */
  start: mutation({
    capability: "settings.manage",
    audit: records("extension.restarted", { targets: ["name"], facts: ["kind"] }),
    input: MaybeNamed,
    run: ({ extension }, { projectID, ...named }) => extension.start(projectID, named),
    rest: {
      method: "post",
      path: "/extensions/start",
      operationID: "startExtension",
      summary: "Starts an extension now, and says what came of it.",
      body: NamedBody,
      status: 200,
      answer: { description: "the extension", schema: ListedExtension },
      refusals: { ...invalid, ...missing },
      read: ({ body: { project, ...named } }) => ({ projectID: project, ...named }),
      write: (extension) => extension,
    },
  }),
}

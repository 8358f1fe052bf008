import { listGrants, revokeGrant } from "../../acts/permission/listed-grants.ts"
import { createSandboxService } from "../../acts/sandbox/sandbox-service.ts"
import { type PreviewedAct, previewAct } from "../../engine/policy-preview/preview-act.ts"
import { previewHistory } from "../../engine/policy-preview/preview-history.ts"
import type { Caller } from "../../ground/schema/index.ts"
import { explainAgents } from "../../setup/agent/explain-agents.ts"
import { effectiveConfig } from "../../setup/config/effective-config.ts"
import { providerVariables } from "../../setup/config/references.ts"
import { checkedOutBranch } from "../../setup/project/checked-out-branch.ts"
import { readProjectFacts } from "../../setup/project/project-facts.ts"
import { suggestPrompts } from "../../setup/project/suggest-prompts.ts"
import { allowLeft } from "../allow-left.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Services } from "../create-services.ts"
import { languagePlace } from "../program-place.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"

/** What a caller asks about projects and what is set. */
export function setupServicesOf(
  deps: RuntimeDeps,
  services: Services,
  caller: Caller,
): Pick<CallerServices, "project" | "credential" | "agent" | "command" | "provider" | "config" | "workspace"> {
  const { bus, projects, configs } = services
  const { providers } = deps
  const configReport = async (projectID: string | undefined) =>
    services.reportOf(projectID === undefined ? null : await projects.get(projectID))
  return {
    project: {
      open: projects.open,
      add: projects.add,
      list: projects.rows,
      get: projects.row,
      awaited: services.awaited.projects,
      places: async () => (await deps.shared?.hosts?.directories()) ?? [],
      directories: projects.directories,
      suggestions: async (id) =>
        suggestPrompts(await readProjectFacts({ files: services.files, env: deps.env }, await projects.get(id))),
      branch: async (id) => checkedOutBranch({ env: deps.env }, await projects.get(id)),
      ...services.projectReading,
      files: async (id, query, limit) => services.files.search((await projects.get(id)).directory, query, limit),
    },
    credential: services.credentials,
    agent: {
      ...services.agentFiles.as(caller),
      list: async (projectID) => services.agentsOf(await projects.get(projectID)),
      async explain(projectID) {
        const project = await projects.get(projectID)
        const [{ agents, added }, { sources }] = await Promise.all([services.settingsOf(project), configs.of(project)])
        return explainAgents(agents, { sources: [...added.sources, ...sources], home: deps.home })
      },
      judge: (projectID, act) => judgeIn(deps, services, projectID, act),
      async previewHistory(projectID, query) {
        const { project, agents, ceilingsOf } = await services.setupOf({ projectID })
        return previewHistory(services.store, { project, agents, ceilingsOf, home: deps.home }, query)
      },
    },
    command: {
      async list(projectID) {
        const commands = await services.offeredCommandsOf(await projects.get(projectID), caller.person)
        return commands.map(({ template: _template, expand: _expand, ...command }) => command)
      },
    },
    provider: {
      list: async (projectID) => providers.list((await configReport(projectID)).config),
      defaultModel: async (projectID) => services.defaultModelOf((await configReport(projectID)).config, projectID),
      saveKey: async (id, key, projectID) => providers.saveKey(id, key, (await configReport(projectID)).config),
      removeKey: async (id, projectID) => providers.removeKey(id, (await configReport(projectID)).config),
      refresh: providers.refresh,
      catalogue: async (projectID, providerID) => ({
        catalogues: await providers.catalogue.states(),
        providers: await providers.catalogue.list((await configReport(projectID)).config, providerID),
      }),
      catalogues: providers.catalogue.states,
      refreshCatalogue: (from) => providers.catalogue.refresh(from, new AbortController().signal),
      packages: providers.packages.list,
      lookUpPackage: providers.packages.lookUp,
      installPackage: providers.packages.install,
      removePackage: providers.packages.remove,
    },
    config: {
      async get(projectID) {
        const {
          ceilings: _ceilings,
          digests: _digests,
          sources: _sources,
          usualFiles: _usualFiles,
          provided: _provided,
          denials: _denials,
          others: _others,
          ...report
        } = await configReport(projectID)
        return { ...report, problems: [...report.problems, ...(deps.otherProblems?.() ?? [])] }
      },
      texts: async (projectID) => services.textsOf(await projects.get(projectID)),
      effective: async (projectID) => effectiveConfig(await configReport(projectID)),
      ...services.projectTrusts,
      trust: (input) => services.projectTrusts.trust(input, caller),
    },
    workspace: {
      get: async () => services.workspace.get(),
      async update(patch) {
        const workspace = await services.workspace.update(patch, caller)
        bus.publish({ type: "workspace.updated", properties: { workspace }, rootID: null, seq: null })
        return workspace
      },
    },
  }
}

async function judgeIn(
  deps: RuntimeDeps,
  services: Services,
  projectID: string,
  act: Parameters<CallerServices["agent"]["judge"]>[1],
): Promise<PreviewedAct> {
  const { project, agents, ceilingsOf, skills } = await services.setupOf({ projectID })
  const { sources } = await services.configs.of(project)
  const { outputRoot: outputDirectory, ownDirectories } = services
  const skillDirectories = skills.map(({ place }) => place)
  const directoryLimits = services.workspace.limits()
  const place = {
    env: deps.env,
    home: deps.home,
    outputDirectory,
    ownDirectories,
    skillDirectories,
    directoryLimits,
  }
  return previewAct({ project, agents, ceilingsOf, sources, ...place }, act)
}

/** What a caller asks about permissions and the sandbox. */
export function actsServicesOf(
  deps: RuntimeDeps,
  services: Services,
  caller: Caller,
): Pick<CallerServices, "permission" | "sandbox" | "lsp"> {
  const { store, broker, configs, sessions } = services
  const placeOf = async (projectID: string) => languagePlace(deps, services, await services.projects.get(projectID))
  return {
    lsp: {
      async list(projectID) {
        const place = await placeOf(projectID)
        return (await deps.languageServers?.list(place)) ?? []
      },
      async restart(projectID, server) {
        const place = await placeOf(projectID)
        await deps.languageServers?.restart(place, server)
      },
    },
    permission: {
      pending: (rootID) => store.permission.pending(rootID),
      reply: (id, reply, options) => broker.reply(id, { ...options, reply, by: caller }),
      grants: () => listGrants(store),
      revoke: (grantID) => revokeGrant(store, grantID),
      allowLeft: (sessionID, id) =>
        allowLeft({ ...deps, standing: store.standingGrant, sessionByID: sessions.get }, caller, { sessionID, id }),
      answer: (id, answers) => broker.reply(id, { reply: "answer", answers, by: caller }),
    },
    sandbox: createSandboxService({
      ...deps,
      sandboxFor: (config) => services.executors.of(config).sandboxFor(config),
      scope: () => services.workspace.get().id,
      isShared: services.workspace.isShared,
      async ownConfig() {
        const { config, sources } = await configs.of(null)
        return { sandbox: config.sandbox ?? {}, providerVariables: providerVariables(sources) }
      },
    }),
  }
}

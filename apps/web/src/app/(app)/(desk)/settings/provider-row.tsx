"use client"

import { useTRPC } from "@docket/client/react"
import type { ProviderInfo } from "@docket/core/schema"
import { Button, PasswordInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { useMe } from "../../../../shell/me.tsx"
import { formatCount } from "../../../../ui/format-count.ts"
import type { Status } from "../../../../ui/status.ts"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import { LazyPackageDialog } from "./lazy-package-dialog.tsx"
import { hasProblem, isLocal, type ListedProvider, originText } from "./provider-groups.ts"
import styles from "./settings.module.css"

/** One provider: the source of its key, its problem, and a field for a key. */
export function ProviderRow({ listed: { provider, project } }: { listed: ListedProvider }) {
  const { can } = useMe()
  const [editing, setEditing] = useState(false)
  const [showsPackage, setShowsPackage] = useState(false)
  const missingPackage = provider.missingPackage ?? null
  const problem = hasProblem(provider)
  const { status, label } = stateOf(provider)
  // If a project sets the key itself, no other key can be saved.
  const namesKey = project !== null && provider.source === "config"
  const takesKey = missingPackage === null && !namesKey && !isLocal(provider) && provider.source !== "builtin"
  const models = formatCount(provider.models.length, "model")
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <StatusGlyph status={status} label={label} />
        <span className={styles.text}>
          <span className={styles.name}>{provider.name}</span>
          <span className={styles.meta}>
            {takesKey && !provider.connected && !can("providers.manage")
              ? "Not connected"
              : originText({ provider, project })}
            {provider.connected ? ` · ${models}` : ""}
          </span>
        </span>
        {missingPackage === null || !can("service.manage") ? null : (
          <Button aria-label={`Look at the package of ${provider.name}`} onClick={() => setShowsPackage(true)}>
            Look at the package
          </Button>
        )}
        {takesKey && !editing && can("providers.manage") ? (
          <Button
            aria-label={`${provider.connected ? "Change" : "Add"} key for ${provider.name}`}
            onClick={() => setEditing(true)}
          >
            {provider.connected ? "Change key" : "Add key"}
          </Button>
        ) : null}
      </div>
      {problem ? <p className={styles.problem}>{provider.problem}</p> : null}
      {showsPackage && missingPackage !== null ? (
        <LazyPackageDialog spec={missingPackage} onClose={() => setShowsPackage(false)} />
      ) : null}
      {editing ? <KeyForm provider={provider} project={project} onClose={() => setEditing(false)} /> : null}
    </li>
  )
}

function stateOf(provider: ProviderInfo): { status: Status; label: string } {
  if (provider.missingPackage) return { status: "needs", label: "Needs a package" }
  if (hasProblem(provider)) return { status: "failed", label: "Has a problem" }
  return provider.connected ? { status: "done", label: "Connected" } : { status: "stopped", label: "Not connected" }
}

/** The form for a key. The key is sent only to the address of this row's provider. */
function KeyForm({ provider, project, onClose }: ListedProvider & { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [key, setKey] = useState("")
  const target = { providerID: provider.id, ...(project && { projectID: project.id }) }
  const done = async (message: string) => {
    await queries.invalidateQueries(trpc.provider.pathFilter())
    announce(message)
    onClose()
  }
  const save = useMutation(trpc.provider.saveKey.mutationOptions({ onSuccess: () => done("Key saved") }))
  const remove = useMutation(trpc.provider.removeKey.mutationOptions({ onSuccess: () => done("Key removed") }))
  const problem = save.error ?? remove.error
  return (
    <form
      className={styles.keyForm}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ ...target, key: key.trim() })
      }}
    >
      <PasswordInput
        className={styles.keyField ?? ""}
        aria-label={`Key for ${provider.name}`}
        placeholder="Paste the key"
        autoComplete="off"
        autoFocus
        value={key}
        error={problem?.message}
        onChange={(event) => setKey(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": "Show the key" }}
      />
      <Button type="submit" variant="filled" disabled={key.trim() === ""} loading={save.isPending}>
        Save
      </Button>
      {provider.source === "saved" ? (
        <Button color="red" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(target)}>
          Remove key
        </Button>
      ) : null}
      <Button variant="subtle" color="gray" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}

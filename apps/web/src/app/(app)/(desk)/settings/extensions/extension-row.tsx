"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { ListedExtension, Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { Can } from "../../../../../shell/me.tsx"
import entries from "../../../../../ui/entries.module.css"
import { formatCount } from "../../../../../ui/format-count.ts"
import { DoneBy } from "../../../../../ui/person.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import { LazyPackageDialog } from "../lazy-package-dialog.tsx"
import { originOf, signedInOf, stateOf, useOf } from "./extension-messages.ts"
import styles from "./extensions.module.css"
import { ProviderSignIn } from "./provider-sign-in.tsx"
import { SignIn } from "./sign-in.tsx"

interface ExtensionProps {
  extension: ListedExtension
  project: Project
}

/** One extension; it opens in place. */
export function ExtensionRow({ extension, project }: ExtensionProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { title, tools, error } = extension
  const facts = [
    stateOf(extension).label,
    signedInOf(extension),
    tools.length === 0 ? null : formatCount(tools.length, "tool"),
    useOf(extension),
    extension.ref.projectID === null ? "for all projects" : "of this project",
  ]
  return (
    <li className={entries.item}>
      <button
        type="button"
        className={entries.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <StatusGlyph {...stateOf(extension)} />
        <span className={entries.text}>
          <span>{visibleText(title)}</span>
          <span className={entries.meta}>{facts.filter((fact) => fact !== null).join(" · ")}</span>
          {error === null ? null : (
            <span className={extension.state === "failed" ? styles.error : styles.waits}>{visibleText(error)}</span>
          )}
        </span>
      </button>
      {isOpen ? (
        <div id={id} className={entries.opened}>
          <Details extension={extension} project={project} />
        </div>
      ) : null}
    </li>
  )
}

function Details({ extension, project }: ExtensionProps) {
  const { may, tools, log, use, switched } = extension
  const origin = originOf(extension, project.directory)
  return (
    <>
      {origin === null ? null : (
        <p className={entries.meta}>
          Configured in <code className={styles.code}>{visibleText(origin)}</code>
        </p>
      )}
      {may.length === 0 ? null : (
        <ul className={styles.may} aria-label="What it may do">
          {may.map((sentence) => (
            <li key={sentence}>{visibleText(sentence)}</li>
          ))}
        </ul>
      )}
      {use.failure === null ? null : (
        <p className={entries.meta}>
          Last failure <RelativeTime time={use.failure.at} />: {visibleText(use.failure.text)}
        </p>
      )}
      {switched === null ? null : (
        <p className={entries.meta}>
          <DoneBy did={`Switched ${switched.state}`} by={switched.by} /> <RelativeTime time={switched.at} />
        </p>
      )}
      {tools.length === 0 ? null : (
        <details>
          <summary>{formatCount(tools.length, "tool")}</summary>
          <dl className={styles.tools}>
            {tools.map((tool) => (
              <div key={tool.id}>
                <dt>
                  <code className={styles.code}>{visibleText(tool.id)}</code>
                </dt>
                <dd>{visibleText(tool.description)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {log.length === 0 ? null : (
        <details>
          <summary>Log</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long log is scrolled by keys */}
          <pre className={styles.log} tabIndex={0}>
            {log.map((line) => visibleText(line)).join("\n")}
          </pre>
        </details>
      )}
      {extension.signIn === undefined ? null : (
        <Can do="settings.manage">
          <ProviderSignIn extension={extension} signIn={extension.signIn} project={project} />
        </Can>
      )}
      {extension.state === "needs-login" ? (
        <Can do="prompt">
          <SignIn extension={extension} project={project} />
        </Can>
      ) : null}
      {extension.installs === undefined ? null : (
        <Can do="service.manage">
          <Install spec={extension.installs} project={project} />
        </Can>
      )}
      <Can do="settings.manage">
        <Actions extension={extension} project={project} />
      </Can>
    </>
  )
}

/** Shows what the registry says of the package, which is installed once somebody agrees. */
function Install({ spec, project }: { spec: string; project: Project }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    void client.invalidateQueries({ queryKey: trpc.extension.list.queryKey({ projectID: project.id }) })
  }
  return (
    <div className={entries.actions}>
      <Button variant="filled" aria-label={`Look at the package ${spec}`} onClick={() => setOpen(true)}>
        Look at the package
      </Button>
      {isOpen ? <LazyPackageDialog spec={spec} onClose={close} /> : null}
    </div>
  )
}

function Actions({ extension, project }: ExtensionProps) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const [isUninstalling, setUninstalling] = useState(false)
  const { ref, state, title, removal } = extension
  const named = { projectID: project.id, kind: ref.kind, name: ref.name }
  const onSuccess = () =>
    client.invalidateQueries({ queryKey: trpc.extension.list.queryKey({ projectID: project.id }) })
  const change = useMutation(trpc.extension.switch.mutationOptions({ onSuccess }))
  const restart = useMutation(trpc.extension.restart.mutationOptions({ onSuccess }))
  const isPending = change.isPending || restart.isPending
  // What a project brings waits for trust in the project, not for a switch.
  const isOff = state === "off" || (state === "waits" && ref.projectID === null && extension.installs === undefined)
  if (isUninstalling)
    return <Uninstall extension={extension} project={project} onClose={() => setUninstalling(false)} />
  return (
    <div className={entries.actions}>
      <Button
        variant={isOff ? "filled" : "default"}
        disabled={isPending}
        aria-label={`${isOff ? "Switch on" : "Switch off"} ${title}`}
        onClick={() => change.mutate({ ...named, state: isOff ? "on" : "off" })}
      >
        {isOff ? "Switch on" : "Switch off"}
      </Button>
      {state === "ready" || state === "failed" || state === "starting" ? (
        <Button disabled={isPending} aria-label={`Restart ${title}`} onClick={() => restart.mutate(named)}>
          Restart
        </Button>
      ) : null}
      {removal.how === "entry" ? (
        <Button
          variant="subtle"
          color="gray"
          disabled={isPending}
          aria-label={`Uninstall ${title}…`}
          onClick={() => setUninstalling(true)}
        >
          Uninstall…
        </Button>
      ) : (
        <p className={entries.meta}>{visibleText(removal.words)}</p>
      )}
    </div>
  )
}

/** Says what goes, and asks. */
function Uninstall({ extension, project, onClose }: ExtensionProps & { onClose(): void }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const announce = useAnnounce()
  const { ref, title, removal } = extension
  const remove = useMutation(
    trpc.extension.uninstall.mutationOptions({
      onSuccess: () => {
        announce(`Uninstalled ${title}`)
        return client.invalidateQueries({ queryKey: trpc.extension.list.queryKey({ projectID: project.id }) })
      },
    }),
  )
  return (
    <section className={styles.uninstall} aria-label={`Uninstall ${title}`}>
      <p>
        Uninstall {visibleText(title)} for all projects? {visibleText(removal.words)} This cannot be undone here; you
        can also switch it off.
      </p>
      {remove.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(remove.error.message)}
        </p>
      )}
      <div className={entries.actions}>
        <Button
          variant="filled"
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate({ projectID: project.id, kind: ref.kind, name: ref.name })}
        >
          Uninstall
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep
        </Button>
      </div>
    </section>
  )
}

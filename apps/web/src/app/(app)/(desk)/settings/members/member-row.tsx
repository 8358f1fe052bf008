"use client"

import type { Member } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { offboardingMessages } from "@docket/core/offboarding-messages"
import type { Role } from "@docket/core/schema"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { useMe } from "../../../../../shell/me.tsx"
import { showProblem } from "../../../../../shell/show-problem.ts"
import { formatDay } from "../../../../../ui/format.ts"
import { Initials } from "../../../../../ui/person.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import { roleFrom, roleName, roles, rolesUpTo, withArticle } from "../role-choice.ts"
import settings from "../settings.module.css"
import { LazyMemberMenu } from "./lazy-member-menu.tsx"
import type { OffboardingResult } from "./left-note.tsx"
import styles from "./members.module.css"
import type { LinkFor } from "./new-link.tsx"

interface MemberRowProps {
  member: Member
  onMade(made: LinkFor): void
  onOffboarded(result: OffboardingResult): void
}

/** The action that is waiting for the confirmation in a dialog. */
type ToConfirm = { kind: "remove" } | { kind: "role"; role: Role } | null

/** One member of the workspace: name, role, and the actions of an administrator. */
export function MemberRow({ member, onMade, onOffboarded }: MemberRowProps) {
  const me = useMe()
  const { name, email, role, joined, isYou } = member
  const [toConfirm, setToConfirm] = useState<ToConfirm>(null)
  const { setRole, remove, leave, resetLink } = useMemberActions(member, { onMade, onOffboarded })
  const mayManage = me.can("people.manage")
  const choose = (newRole: Role) => {
    if (isYou) setToConfirm({ kind: "role", role: newRole })
    else setRole(newRole).catch(showProblem)
  }
  // The member's current role stays in the list, even if the user could not choose it.
  const choices = roles.filter((each) => each === role || (me.role !== null && rolesUpTo(me.role).includes(each)))
  return (
    <li className={settings.provider}>
      <div className={`${settings.line} ${styles.row}`}>
        <Initials person={member.person} name={name} className={styles.mark} />
        <span className={settings.text}>
          <span className={settings.name}>
            <bdi>{name}</bdi>
            {isYou ? <span className={styles.you}>you</span> : null}
          </span>
          <span className={settings.meta}>
            {email} · since {formatDay(joined)}
          </span>
        </span>
        <span className={styles.actions}>
          {mayManage ? (
            <select
              className={styles.role}
              aria-label={`Role of ${name}`}
              value={role}
              onChange={(event) => choose(roleFrom(event.currentTarget.value, role))}
            >
              {choices.map((each) => (
                <option key={each} value={each}>
                  {roleName(each)}
                </option>
              ))}
            </select>
          ) : (
            <span className={styles.roleWord}>{roleName(role)}</span>
          )}
          {mayManage || isYou ? (
            <LazyMemberMenu
              name={name}
              isYou={isYou}
              mayManage={mayManage}
              onReset={() => resetLink().catch(showProblem)}
              onRemove={() => setToConfirm({ kind: "remove" })}
            />
          ) : (
            <span className={styles.noMenu} />
          )}
        </span>
      </div>
      {toConfirm?.kind === "remove" ? (
        <LazyConfirmDialog
          title={isYou ? "Leave this workspace" : `Remove ${name}`}
          action={isYou ? "Leave" : "Remove"}
          confirm={isYou ? leave : remove}
          onClose={() => setToConfirm(null)}
          next="#members"
        >
          {isYou
            ? "You do not see this workspace any more, and keys and tokens that you made for programs in it end. Prompts of yours that wait are withdrawn, and your schedules pause. Your sessions stay. To come back, you have to be invited again."
            : `${name} does not see this workspace any more: pages that they have open close, and keys and tokens that they made for programs in it end. Prompts of theirs that wait are withdrawn, their schedules pause, and what runs for them finishes or stops, as Workspace says. Their sessions, comments and verdicts stay.`}
        </LazyConfirmDialog>
      ) : null}
      {toConfirm?.kind === "role" ? (
        <LazyConfirmDialog
          title="Change your own role"
          action={`Be ${withArticle(toConfirm.role)}`}
          confirm={() => setRole(toConfirm.role)}
          onClose={() => setToConfirm(null)}
          next="#members"
        >
          You become {withArticle(toConfirm.role)}. If this role may not choose roles, you cannot take that back
          yourself.
        </LazyConfirmDialog>
      ) : null}
    </li>
  )
}

function useMemberActions({ person, name }: Member, handlers: Pick<MemberRowProps, "onMade" | "onOffboarded">) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const refresh = () =>
    Promise.all([queries.invalidateQueries(trpc.team.pathFilter()), queries.invalidateQueries(trpc.me.pathFilter())])
  const options = { onSettled: refresh }
  const role = useMutation(trpc.team.setRole.mutationOptions(options))
  const remove = useMutation(trpc.team.remove.mutationOptions(options))
  const leave = useMutation(trpc.team.leave.mutationOptions())
  const reset = useMutation(trpc.team.resetLink.mutationOptions())
  return {
    setRole: async (newRole: Role) => {
      const outcome = await role.mutateAsync({ person, role: newRole })
      const title = `${name} is ${withArticle(newRole)} now`
      const words = offboardingMessages(outcome ?? {})
      announce([title, ...words].join(", "))
      // A role change rarely ends any of the member's work, so an empty result is not shown.
      if (words.length > 0) handlers.onOffboarded({ title, outcome })
    },
    remove: async () => {
      const outcome = await remove.mutateAsync({ person })
      const title = `${name} is removed`
      announce([title, ...offboardingMessages(outcome ?? {})].join(", "))
      handlers.onOffboarded({ title, outcome })
    },
    leave: async () => {
      await leave.mutateAsync()
      location.assign("/")
    },
    resetLink: async () => handlers.onMade({ link: await reset.mutateAsync({ person }), who: name, role: null }),
  }
}

/** Told at the end of the transcript when a turn goes on after a crash. */
export const restartedText =
  "<system-reminder>The Docket process was restarted while you worked. Tool calls without a result may or may not have taken effect: check before you repeat them, then go on.</system-reminder>"

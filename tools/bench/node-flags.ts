/** The heap of a process in `deploy`: the image limits it, and in 768 MB of memory Node keeps its young space at 16. */
export const NODE_FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=16']

/** As a process has its heap in `deploy`: the image limits it, and in 768 MB Node keeps the young space so small. */
export const NODE_FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=16']

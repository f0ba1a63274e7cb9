// Says at its end how much memory the process had at most, in MB, as the last line on stderr.
process.on('exit', () => {
  process.stderr.write(`${process.resourceUsage().maxRSS / 1024}\n`);
});

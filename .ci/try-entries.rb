# Installs by the Homebrew formula and by aqua's entry as those programs would, with stand-ins for the parts of their languages
# that ours use: try-entries.rb FOLDER PREFIX. FOLDER is what .ci/release made, PREFIX where to install.
require "digest"
require "fileutils"
require "open3"
require "pathname"
require "yaml"

folder, prefix = ARGV.map { |path| Pathname.new(File.expand_path(path)) }
ARCHIVE = folder.glob("momtool-*.tar.xz").first
CELLAR = prefix / "homebrew"

def unpack(archive, place)
  place.mkpath
  system("tar", "-xJf", archive.to_s, "-C", place.to_s) || abort("#{archive} does not open")
  # Both programs enter the folder of an archive that has one alone.
  place.children.size == 1 ? place.children.first : place
end

# A folder of the cellar, which files are installed into.
class Pathname
  def install(*sources)
    abort "nothing is installed into #{self}" if sources.flatten.empty?
    mkpath
    sources.flatten.each { |source| FileUtils.cp_r(source, self) }
  end
end

class Formula
  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d",
    pkgshare: "share/momtool" }.each { |name, place| define_method(name) { CELLAR / place } }

  class << self
    attr_reader :told, :job

    def inherited(formula)
      formula.instance_variable_set(:@told, {})
      $formula = formula
    end
    %i[desc homepage version license url sha256 depends_on].each do |name|
      define_method(name) { |value| @told[name] = value }
    end
    def on_linux = yield
    # What is meant for the other machine is not read.
    def on_intel = RUBY_PLATFORM.start_with?("x86_64") && yield
    def on_arm = RUBY_PLATFORM.start_with?("aarch64") && yield
    def test(&job) = @job = job
  end

  def version = self.class.told[:version]

  def shell_output(command)
    said, status = Open3.capture2(command)
    status.success? ? said : abort("#{command} ended with #{status.exitstatus}")
  end

  def assert_equal(expected, got) = expected == got || abort("#{expected} expected, got #{got}")
end

load folder / "momtool.rb"
told = $formula.told
%i[desc homepage version license url sha256].each { |name| told[name] || abort("the formula has no #{name}") }
File.basename(told[:url]) == ARCHIVE.basename.to_s || abort("the formula's address is #{told[:url]}")
Digest::SHA256.file(ARCHIVE).hexdigest == told[:sha256] || abort("the formula has another sum")
Dir.chdir(unpack(ARCHIVE, prefix / "work")) { $formula.new.install }
$formula.new.instance_eval(&$formula.job)

entry = YAML.load_file(folder / "aqua.yaml")["packages"].first
machine = RUBY_PLATFORM.start_with?("x86_64") ? "amd64" : "arm64"
asset = entry["asset"].gsub(/{{\.(Version|Arch)}}/) { $1 == "Version" ? told[:version] : entry["replacements"][machine] }
asset == ARCHIVE.basename.to_s || abort("aqua would fetch #{asset}")
sums = (folder / entry["checksum"]["asset"]).readlines(chomp: true).map(&:split)
sums.include?([Digest::SHA256.file(ARCHIVE).hexdigest, asset]) || abort("#{entry["checksum"]["asset"]} has another sum")
place = unpack(folder / asset, prefix / "aqua")
entry["files"].each do |file|
  (place / file["src"]).executable? || abort("the archive has no program #{file["src"]}")
  Open3.capture2e((place / file["src"]).to_s, "--version")[1].success? || abort("#{file["name"]} does not start")
end

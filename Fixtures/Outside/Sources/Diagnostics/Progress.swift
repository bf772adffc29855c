/// What the package itself says of its work, in a module that is named as one of the library.
package struct Progress {
    private let job: String

    package init(of job: String) { self.job = job }

    package func tell() { print("== \(job)") }
}

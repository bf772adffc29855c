typealias A = B
typealias B = [A]
@Model class T { var a: A }

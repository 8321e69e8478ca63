"""What any frame may take: generators and transducers that know no case."""
